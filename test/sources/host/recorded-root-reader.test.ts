import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { createRecordedCommandRunner } from '../../../src/sources/host/recorded-command-runner.ts';
import { createRecordedRootReader } from '../../../src/sources/host/recorded-root-reader.ts';
import { openRecording } from '../../../src/sources/host/recording.ts';
import { temporaryDirectory } from '../../support/temporary-directory.ts';

const { signal } = new AbortController();

const record = (files: Readonly<Record<string, string>>) => {
  const directory = temporaryDirectory();
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(directory, path)), { recursive: true });
    writeFileSync(join(directory, path), text);
  }
  return openRecording({ directory, recordedAtMs: 0, nowMs: () => 60_000 });
};

test('links lead on within the recorded root, component by component', async () => {
  const reader = createRecordedRootReader(
    record({
      'root/sys/devices/pci0/sda/size': '{{count 100+1}}\n',
      'machine.json': JSON.stringify({
        links: { '/sys/block/sda': '../devices/pci0/sda', '/sys/class/x': '/sys/block/sda', '/loop': 'loop' },
      }),
    }),
  );
  expect(await reader.readText('/sys/class/x/size')).toEqual({ kind: 'read', text: '160\n', cut: false });
  expect(await reader.realPath('/sys/block/sda')).toBe('/sys/devices/pci0/sda');
  expect(await reader.list('/sys/block')).toEqual({ kind: 'read', names: ['sda'], cut: false });
  expect(await reader.readText('/loop')).toEqual({ kind: 'absent' });
  expect(await reader.realPath('/nowhere')).toBeNull();
});

test('what is denied, absent or too long is told', async () => {
  const reader = createRecordedRootReader(
    record({
      'root/a': '0123456789',
      'machine.json': JSON.stringify({ denied: ['/secret'], directories: ['/empty'] }),
    }),
  );
  expect(await reader.readText('/secret/file')).toEqual({ kind: 'denied' });
  expect(await reader.readText('/b')).toEqual({ kind: 'absent' });
  expect(await reader.readText('/a', 4)).toEqual({ kind: 'read', text: '0123', cut: true });
  expect(await reader.readTail('/a', 2)).toEqual({ kind: 'read', bytes: Buffer.from('89') });
  expect(await reader.list('/empty')).toEqual({ kind: 'read', names: [], cut: false });
  expect(await reader.list('/none')).toEqual({ kind: 'absent' });
});

test('the space of mounts is recorded', async () => {
  const space = { '/': { sizeBytes: 100, freeBytes: 40 }, '/closed': 'denied' };
  const reader = createRecordedRootReader(record({ 'machine.json': JSON.stringify({ space }) }));
  expect(await reader.space({ mountPoint: '/', remote: false, signal })).toMatchObject({
    space: { availableBytes: 40 },
  });
  expect(await reader.space({ mountPoint: '/closed', remote: false, signal })).toEqual({ kind: 'denied' });
  expect(await reader.space({ mountPoint: '/other', remote: false, signal })).toEqual({ kind: 'absent' });
});

test('commands answer by their arguments, with wildcards', async () => {
  const runner = createRecordedCommandRunner(
    record({
      'commands/a.command.json': JSON.stringify({
        argv: ['tool', '--since=@*', 'x'],
        stdout: ['one', 'two'],
        exitCode: 3,
      }),
      'commands/b.command.json': JSON.stringify({ argv: ['tool'], ends: 'timed_out' }),
      'commands/c.command.json': '{ "argv": ["big"], "stdoutFile": "big.txt" }',
      'commands/big.txt': 'x'.repeat(100),
    }),
  );
  const run = (file: string, ...args: string[]) => runner.run({ file, args, timeoutMs: 5, maxOutputBytes: 50, signal });
  expect(await run('tool', '--since=@17', 'x')).toEqual({ kind: 'exited', code: 3, stdout: 'one\ntwo\n', stderr: '' });
  expect(await run('tool', '--since=17', 'x')).toEqual({ kind: 'not_found' });
  expect(await run('tool')).toMatchObject({ kind: 'timed_out' });
  expect(await run('big')).toMatchObject({ kind: 'too_large' });
});

test('a recording that is wrong is ours, and is thrown', async () => {
  const reader = createRecordedRootReader(record({ 'machine.json': '{"linkz":{}}' }));
  await expect(reader.readText('/a')).rejects.toThrow(/linkz/);
});
