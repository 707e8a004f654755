import { execFileSync } from 'node:child_process';
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { type CommandResult, createCommandRunner } from '../../../src/runtime/command.ts';
import { createLiveRootReader } from '../../../src/sources/host/live-root-reader.ts';
import { exited } from '../../support/host-context.ts';
import { temporaryDirectory } from '../../support/temporary-directory.ts';

const { signal } = new AbortController();
const live = (root: string, answer?: CommandResult) => {
  const runner = answer === undefined ? createCommandRunner() : { run: async () => answer };
  return createLiveRootReader({ root, runner, remoteTimeoutMs: 2_000 });
};

describe('files below a root', () => {
  const root = temporaryDirectory;

  test('are read up to a limit', async () => {
    const directory = root();
    writeFileSync(join(directory, 'a'), '0123456789');
    expect(await live(directory).readText('/a')).toEqual({ kind: 'read', text: '0123456789', cut: false });
    expect(await live(directory).readText('/a', 10)).toEqual({ kind: 'read', text: '0123456789', cut: false });
    expect(await live(directory).readText('/a', 4)).toEqual({ kind: 'read', text: '0123', cut: true });
    expect(await live(directory).readTail('/a', 3)).toEqual({ kind: 'read', bytes: Buffer.from('789') });
  });

  test('that are not there, or in the way, are told apart from empty ones', async () => {
    const directory = root();
    mkdirSync(join(directory, 'dir'));
    writeFileSync(join(directory, 'empty'), '');
    expect(await live(directory).readText('/none')).toEqual({ kind: 'absent' });
    expect(await live(directory).readText('/empty/below')).toEqual({ kind: 'absent' });
    expect(await live(directory).readText('/empty')).toEqual({ kind: 'read', text: '', cut: false });
    expect(await live(directory).readText('/dir')).toEqual({ kind: 'failed', reason: 'EISDIR' });
    expect(await live(directory).list('/dir')).toEqual({ kind: 'read', names: [], cut: false });
  });

  test('that are pipes do not hold the reader up', async () => {
    const directory = root();
    execFileSync('mkfifo', [join(directory, 'pipe')]);
    expect(await live(directory).readText('/pipe')).toMatchObject({ kind: 'read', text: '' });
  });

  test('resolve to paths of the machine, not of the container', async () => {
    const directory = root();
    mkdirSync(join(directory, 'real'));
    symlinkSync('real', join(directory, 'link'));
    expect(await live(directory).realPath('/link')).toBe('/real');
    expect(await live(directory).realPath('/none')).toBeNull();
  });
});

test('the files of the kernel are read though they have no size', async () => {
  expect(await live('/').readText('/proc/stat')).toMatchObject({
    kind: 'read',
    cut: false,
    text: expect.stringContaining('btime'),
  });
});

describe('space', () => {
  test('of a local mount is that of df, and so is its device', async () => {
    const read = await live('/').space({ mountPoint: '/', remote: false, signal });
    const [size] = execFileSync('df', ['--output=size', '--block-size=1', '/'], { encoding: 'utf8' })
      .split('\n')
      .slice(1);
    const device = execFileSync('stat', ['-c', '%Hd:%Ld', '/'], { encoding: 'utf8' }).trim();
    expect(read).toMatchObject({ kind: 'read', space: { sizeBytes: Number(size), device } });
  });

  test('of a remote one is asked by a process of its own, with the same figures', async () => {
    const [local, remote] = await Promise.all(
      [false, true].map((flag) => live('/').space({ mountPoint: '/', remote: flag, signal })),
    );
    if (local?.kind !== 'read' || remote?.kind !== 'read') throw new Error('the space of / can not be read here');
    expect(remote.space).toMatchObject({
      sizeBytes: local.space.sizeBytes,
      magic: local.space.magic,
      inodesTotal: local.space.inodesTotal,
    });
  });

  test.each<[CommandResult, string]>([
    [{ kind: 'timed_out', timeoutMs: 2_000, stderr: '' }, 'the file system does not answer'],
    [{ kind: 'stuck', count: 2 }, 'the file system does not answer'],
    [{ kind: 'not_found' }, '`stat` is not installed'],
    [{ kind: 'aborted' }, '`stat` did not run to its end'],
    [exited('x'), '`stat` printed something else than figures'],
  ])('%j fails with a reason', async (answer, reason) => {
    expect(await live('/', answer).space({ mountPoint: '/nas', remote: true, signal })).toEqual({
      kind: 'failed',
      reason,
    });
  });
});
