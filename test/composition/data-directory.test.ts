import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { databasePath, defaultDataDirectory, exposedState } from '../../src/composition/data-directory.ts';
import { temporaryDirectory } from '../support/temporary-directory.ts';

test.each<[string, Readonly<Record<string, string>>, boolean, string]>([
  ["systemd's state directory goes first", { STATE_DIRECTORY: '/var/lib/patrold' }, false, '/var/lib/patrold'],
  ['of several the first is the own one', { STATE_DIRECTORY: '/var/lib/a:/var/lib/b' }, true, '/var/lib/a'],
  ['root keeps it where services do', { HOME: '/root' }, true, '/var/lib/patrold'],
  ['a user where the desktop standard says', { XDG_STATE_HOME: '/home/u/state' }, false, '/home/u/state/patrold'],
])('%s', (_, env, isRoot, expected) => {
  expect(defaultDataDirectory(env, isRoot)).toBe(expected);
});

test('a directory or a database that others may open is told, one that is private is not', () => {
  const directory = join(temporaryDirectory(), 'data');
  mkdirSync(directory, { mode: 0o700 });
  expect(exposedState(directory)).toEqual([]);
  writeFileSync(databasePath(directory), '', { mode: 0o600 });
  expect(exposedState(directory)).toEqual([]);
  chmodSync(directory, 0o755);
  chmodSync(databasePath(directory), 0o640);
  expect(exposedState(directory)).toEqual([
    `${directory} is open to other users; chmod go-rwx keeps it private`,
    `${databasePath(directory)} is open to other users; chmod go-rwx keeps it private`,
  ]);
});

test('a directory that is not there yet is open to nobody', () => {
  expect(exposedState(join(temporaryDirectory(), 'none'))).toEqual([]);
});
