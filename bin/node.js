/**
 * Runs a command with the Node that patrold brings first on the PATH: `node bin/node.js vitest run`.
 *
 * For npm scripts, on machines whose own Node is old. npm usually links that Node into node_modules/.bin, which is enough;
 * npm 10, which comes with Node 20, removes the link again when it drops the package for the other architecture.
 */
import { delimiter, dirname } from 'node:path';
import { findNode, isNewEnough, runInstead } from './packaged-node.js';

const [, , command, ...args] = process.argv;
const path = isNewEnough ? process.env.PATH : `${dirname(findNode())}${delimiter}${process.env.PATH}`;
runInstead(command, args, { ...process.env, PATH: path });
