/**
 * Which part may import which: the direction rules of the architecture as data.
 *
 * `ALLOWED` names for each part what it may import beside itself; everything else that is ours is refused.
 * dependency-homes.json names the only place a package, or a scope of packages, may be imported from: a file, or a
 * directory ending in a slash. A new part is a line here, a new confined package a line there.
 * test/architecture/direction.test.ts proves that the rules bite.
 */
const { existsSync } = require('node:fs');
const HOMES = require('./dependency-homes.json');

const BASE = ['signals', 'findings', 'src/runtime', 'src/config'];
const LOOKING = ['src/evidence', 'src/sources', 'src/tools'];
const RUNNING = ['src/patrol', 'src/investigation', 'src/actions', 'src/assistant', 'src/notify'];

const ALLOWED = {
  signals: [],
  findings: ['signals'],
  'src/runtime': [],
  'src/config': ['src/runtime', 'signals'],
  'src/model': ['src/runtime', 'src/config'],
  'src/evidence': [...BASE, ...LOOKING],
  'src/sources': [...BASE, ...LOOKING],
  'src/tools': [...BASE, ...LOOKING],
  'src/agent': [...BASE, ...LOOKING, 'src/model'],
  'src/notify': BASE,
  'src/patrol': [...BASE, ...LOOKING, 'src/model', 'src/agent', ...RUNNING],
  'src/investigation': [...BASE, ...LOOKING, 'src/model', 'src/agent', ...RUNNING],
  'src/actions': [...BASE, ...LOOKING, 'src/model', 'src/agent', ...RUNNING],
  'src/assistant': [...BASE, ...LOOKING, 'src/model', 'src/agent', ...RUNNING],
  'src/capabilities': [...BASE, ...LOOKING, 'src/model', 'src/agent', ...RUNNING],
  'src/mcp': [...BASE, ...LOOKING, 'src/model', 'src/agent', ...RUNNING, 'src/capabilities'],
  'src/http': [...BASE, ...LOOKING, 'src/model', 'src/agent', ...RUNNING, 'src/capabilities', 'src/mcp'],
  'src/cli': [...BASE, ...LOOKING, 'src/model', 'src/agent', ...RUNNING, 'src/capabilities', 'src/mcp'],
};

/** The files of findings/ that keep findings in SQLite; the rest of findings/ is pure. */
const FINDING_STORAGE = '^findings/(storage/|(schema|store|history)\\.ts$)';
const OURS = '^(signals|findings|src|test|bench|tools|web|bin)/';

const escaped = (path) => path.replaceAll(/[.\\/@+-]/g, '\\$&');
const under = (parts) => `^(${parts.map(escaped).join('|')})(/|$)`;
const npmPackage = (name) => `(^|/)node_modules/${escaped(name)}/`;

const direction = Object.entries(ALLOWED).map(([part, allowed]) => ({
  name: `direction-${part.replace('src/', '')}`,
  comment: `${part} may import itself${allowed.length > 0 ? ` and ${allowed.join(', ')}` : ' alone'}.`,
  severity: 'error',
  from: { path: under([part]), ...(part === 'findings' ? { pathNot: FINDING_STORAGE } : {}) },
  to: { path: OURS, pathNot: under([part, ...allowed]) },
}));

const homes = Object.entries(HOMES).map(([name, home]) => ({
  name: `home-of-${name}`,
  comment: `${name} is imported in ${home} alone.`,
  severity: 'error',
  from: { path: '^(signals|findings|src|bench)/', pathNot: `^${escaped(home)}` },
  to: { path: npmPackage(name) },
}));

/** @type {import('dependency-cruiser').IConfiguration} */
module.exports = {
  forbidden: [
    ...direction,
    ...homes,
    {
      name: 'findings-storage-touches-runtime-only',
      comment: 'Of findings/, storage/, schema.ts, store.ts and history.ts use signals and src/runtime.',
      severity: 'error',
      from: { path: FINDING_STORAGE },
      to: { path: OURS, pathNot: under(['findings', 'signals', 'src/runtime']) },
    },
    {
      name: 'signals-is-pure',
      comment: 'signals/ imports no node module and no package: readings in, verdicts out.',
      severity: 'error',
      from: { path: '^signals/' },
      to: { dependencyTypes: ['core', 'npm', 'npm-dev', 'npm-optional', 'npm-peer', 'npm-no-pkg', 'npm-unknown'] },
    },
    {
      name: 'findings-lifecycle-is-pure',
      comment: 'The lifecycle in findings/ imports no package; node modules neither, save node:crypto for identities.',
      severity: 'error',
      from: { path: '^findings/', pathNot: FINDING_STORAGE },
      to: {
        dependencyTypes: ['core', 'npm', 'npm-dev', 'npm-optional', 'npm-peer', 'npm-no-pkg', 'npm-unknown'],
        pathNot: '^(node:)?crypto$',
      },
    },
    {
      name: 'main-composes-alone',
      comment: 'Nobody imports main.',
      severity: 'error',
      from: { pathNot: '^(test|bench|tools|bin)/' },
      to: { path: '^src/main\\.ts$' },
    },
    {
      name: 'product-does-not-import-tests',
      comment: 'What ships imports neither tests, benchmarks, development tools nor the web page.',
      severity: 'error',
      from: { path: '^(signals|findings|src)/' },
      to: { path: '^(test|bench|tools|web)/' },
    },
    {
      name: 'no-development-package',
      comment: 'What ships imports no development dependency.',
      severity: 'error',
      from: { path: '^(signals|findings|src)/' },
      to: { dependencyTypes: ['npm-dev'], dependencyTypesNot: ['type-only'], pathNot: '/node_modules/@types/' },
    },
    { name: 'no-circular', severity: 'error', from: {}, to: { circular: true } },
    { name: 'not-to-unresolvable', severity: 'error', from: {}, to: { couldNotResolve: true } },
    {
      name: 'no-orphans',
      comment: 'A file that nothing imports and that imports nothing is dead, or its line in a list is missing.',
      // Before there is a main to compose them, parts stand alone.
      severity: existsSync('src/main.ts') ? 'error' : 'info',
      from: { orphan: true, path: '^(signals|findings|src)/' },
      to: {},
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '^(dist|coverage|test/fixtures)/' },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'require', 'node', 'default', 'types'],
      extensions: ['.ts', '.js', '.cjs', '.mjs', '.json', '.d.ts'],
    },
  },
};
