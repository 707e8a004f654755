import { execFileSync } from 'node:child_process';
import { mkdirSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { type CommandRunner, createCommandRunner } from '../../../src/runtime/command.ts';
import { backupsConfigSchema, type DirectoryConfig } from '../../../src/sources/backups/backups-config.ts';
import { readDirectory } from '../../../src/sources/backups/directory.ts';
import { temporaryDirectory } from '../../support/temporary-directory.ts';

const HOUR_MS = 3_600_000;
const configOf = (settings: object): DirectoryConfig => {
  const [config] = backupsConfigSchema.parse([{ name: 'it', type: 'directory', ...settings }]);
  if (config?.type !== 'directory') throw new Error('no directory entry');
  return config;
};

describe('readDirectory', () => {
  const nowMs = Date.now();
  let path = '';
  beforeEach(() => {
    path = temporaryDirectory();
  });

  const read = (settings: object = {}, commands: CommandRunner = createCommandRunner()) =>
    readDirectory(configOf({ path, ...settings }), commands, nowMs, AbortSignal.timeout(20_000));
  const age = (name: string, hours: number): void => {
    const at = (nowMs - hours * HOUR_MS) / 1_000;
    utimesSync(join(path, name), at, at);
  };
  const file = (name: string, hours: number, content = 'x'): void => {
    writeFileSync(join(path, name), content);
    age(name, hours);
  };

  it('takes the newest complete file, with the parts of a second that its file system keeps', async () => {
    file('a.tar', 30);
    file('b.tar', 6.5);
    file('c.tar', 2, '');
    const result = await read();
    expect(result).toMatchObject({ kind: 'read', count: 2, growing: false, broken: { reason: 'c.tar is empty' } });
    expect(
      Math.abs((result.kind === 'read' ? (result.newestGoodAtMs ?? 0) : 0) - (nowMs - 6.5 * HOUR_MS)),
    ).toBeLessThan(10);
  });

  it('reads names with dates in their own zone', async () => {
    file('db-20260110T0230.sql', 1);
    expect(await read({ pattern: 'db-%Y%m%dT%H%M.sql', timeZone: 'Europe/Vienna' })).toMatchObject({
      newestGoodAtMs: Date.UTC(2026, 0, 10, 1, 30),
    });
  });

  it('takes directories for archives, unless nothing is in them', async () => {
    for (const [name, hours] of [
      ['daily.0', 5],
      ['daily.1', 29],
    ] as const) {
      mkdirSync(join(path, name));
      writeFileSync(join(path, name, 'f'), 'x');
      age(name, hours);
    }
    mkdirSync(join(path, 'daily.9'));
    age('daily.9', 1);
    expect(await read({ pattern: 'daily.*' })).toMatchObject({ count: 2, broken: { reason: 'daily.9 is empty' } });
  });

  it('does not count links, and follows one to the directory itself', async () => {
    file('a.tar', 30);
    symlinkSync(join(path, 'a.tar'), join(path, 'b.tar'));
    const link = join(temporaryDirectory(), 'link');
    symlinkSync(path, link);
    expect(await read({ path: link })).toMatchObject({ count: 1 });
  });

  it('is not confused by what names can hold', async () => {
    file('two\nlines\tand a tab.tar', 3);
    file('-rf', 2);
    file('ümläut 😀.tar', 1);
    expect(await read()).toMatchObject({ kind: 'read', count: 3 });
  });

  it('tells a directory that is empty from one that is not there', async () => {
    expect(await read()).toMatchObject({ kind: 'read', count: 0, newestGoodAtMs: null });
    expect(await read({ path: join(path, 'gone') })).toMatchObject({ kind: 'unread', code: 'unreachable' });
    file('plain', 1);
    expect(await read({ path: join(path, 'plain', 'below') })).toMatchObject({ kind: 'unread', code: 'unreachable' });
  });

  it('sees that a file is growing while somebody writes it', async () => {
    file('a.tar', 30);
    execFileSync('sh', ['-c', `echo part > ${path}/b.tar`]);
    expect(await read()).toMatchObject({ count: 1, growing: true });
  });

  it.each([
    [{ kind: 'timed_out', timeoutMs: 60_000, stderr: '' }, 'timed_out'],
    [{ kind: 'stuck', count: 2 }, 'timed_out'],
    [{ kind: 'too_large', maxOutputBytes: 1 }, 'cut_short'],
    [{ kind: 'exited', code: 1, stdout: '', stderr: "find: '/x': Permission denied" }, 'not_permitted'],
    [{ kind: 'exited', code: 1, stdout: '', stderr: "find: '/x': Stale file handle" }, 'unreachable'],
    [{ kind: 'exited', code: 1, stdout: '', stderr: 'find: unrecognized: -printf' }, 'failed'],
    [{ kind: 'exited', code: 0, stdout: 'a.tar\0', stderr: '' }, 'malformed'],
  ] as const)('takes %j for %s, not for an empty directory', async (result, code) => {
    expect(await read({}, { run: async () => result })).toMatchObject({ kind: 'unread', code });
  });
});
