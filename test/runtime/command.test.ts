import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type CommandRequest, createCommandRunner, STDERR_KEPT_BYTES } from '../../src/runtime/command.ts';

const never = new AbortController().signal;
const request = (file: string, args: readonly string[], more: Partial<CommandRequest> = {}): CommandRequest => ({
  file,
  args,
  timeoutMs: 5_000,
  maxOutputBytes: 100_000,
  signal: never,
  ...more,
});
const shell = (script: string, more: Partial<CommandRequest> = {}): CommandRequest =>
  request('sh', ['-c', script], more);

const isAlive = (pid: number): boolean => {
  try {
    // A zombie still answers kill 0; its state tells.
    return !readFileSync(`/proc/${pid}/stat`, 'utf8').includes(') Z ');
  } catch {
    return false;
  }
};

const waitUntil = async (holds: () => boolean): Promise<boolean> => {
  for (let tries = 0; tries < 100; tries += 1) {
    if (holds()) return true;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  return false;
};

describe('createCommandRunner', () => {
  const runner = createCommandRunner();
  let directory = '';
  beforeAll(() => {
    directory = mkdtempSync(join(tmpdir(), 'command-'));
  });
  afterAll(() => rmSync(directory, { recursive: true, force: true }));

  it('returns exit code, stdout and stderr apart', async () => {
    expect(await runner.run(shell('echo out; echo err >&2; exit 3'))).toEqual({
      kind: 'exited',
      code: 3,
      stdout: 'out\n',
      stderr: 'err\n',
    });
  });

  it('passes arguments as they are, without a shell in between', async () => {
    const result = await runner.run(request('printf', ['%s', '$(id); `id` *']));
    expect(result).toMatchObject({ kind: 'exited', stdout: '$(id); `id` *' });
  });

  it('gives a minimal environment, with what was asked for added', async () => {
    const result = await runner.run(request('env', [], { env: { RESTIC_PASSWORD_FILE: '/x' } }));
    const names =
      result.kind === 'exited'
        ? result.stdout
            .trim()
            .split('\n')
            .map((line) => line.split('=')[0])
        : [];
    expect(names.sort()).toEqual(['LANG', 'LANGUAGE', 'LC_ALL', 'PATH', 'RESTIC_PASSWORD_FILE', 'TZ']);
  });

  it('gives no input and no terminal to prompt on', async () => {
    expect(await runner.run(shell('cat; (exec 3</dev/tty) 2>/dev/null || echo no tty'))).toMatchObject({
      stdout: 'no tty\n',
    });
  });

  it('says that a program is not installed', async () => {
    expect(await runner.run(request('patrold-no-such-program', []))).toEqual({ kind: 'not_found' });
  });

  it('says that a program may not be executed', async () => {
    const path = join(directory, 'not-executable');
    writeFileSync(path, '#!/bin/sh\n');
    chmodSync(path, 0o644);
    expect(await runner.run(request(path, []))).toEqual({ kind: 'not_permitted' });
  });

  it('says that the system refused to start it', async () => {
    expect(await runner.run(request('true', ['x'.repeat(200_000)]))).toEqual({
      kind: 'failed',
      reason: 'the program could not be started (E2BIG)',
    });
    expect(await runner.run(request('true', ['a\0b']))).toMatchObject({ kind: 'failed' });
  });

  it('cuts off a program that takes too long, with what it had said, and ends its children too', async () => {
    const result = await runner.run(shell('sleep 60 & echo $! >&2; wait', { timeoutMs: 300 }));
    expect(result.kind).toBe('timed_out');
    const pid = result.kind === 'timed_out' ? Number(result.stderr) : 0;
    expect(pid).toBeGreaterThan(0);
    expect(await waitUntil(() => !isAlive(pid))).toBe(true);
  });

  it('kills what ignores a polite end', async () => {
    const result = await runner.run(shell("trap '' TERM; echo $$ >&2; while :; do sleep 1; done", { timeoutMs: 300 }));
    const pid = result.kind === 'timed_out' ? Number(result.stderr) : 0;
    expect(pid).toBeGreaterThan(0);
    expect(await waitUntil(() => !isAlive(pid))).toBe(true);
  });

  it('ends a program that prints more than allowed', async () => {
    expect(await runner.run(request('yes', [], { maxOutputBytes: 10_000 }))).toEqual({
      kind: 'too_large',
      maxOutputBytes: 10_000,
    });
    expect(await runner.run(shell('printf 1234', { maxOutputBytes: 4 }))).toMatchObject({
      kind: 'exited',
      stdout: '1234',
    });
  });

  it('keeps the beginning of a long stderr and lets the program end', async () => {
    const result = await runner.run(shell('head -c 300000 /dev/zero | tr "\\0" e >&2; echo done'));
    expect(result).toMatchObject({ kind: 'exited', stdout: 'done\n' });
    expect(result.kind === 'exited' && result.stderr.length).toBe(STDERR_KEPT_BYTES);
  });

  it('stops when the run is aborted, and does not start when it already was', async () => {
    const controller = new AbortController();
    const running = runner.run(request('sleep', ['60'], { signal: controller.signal }));
    controller.abort();
    expect(await running).toEqual({ kind: 'aborted' });
    expect(await runner.run(request('sleep', ['60'], { signal: controller.signal }))).toEqual({ kind: 'aborted' });
  });

  it('tells a death by signal from an exit', async () => {
    expect(await runner.run(shell('kill -SEGV $$'))).toMatchObject({ kind: 'signalled', signal: 'SIGSEGV' });
  });

  it('does not wait for a background child that keeps the output open, and ends it', async () => {
    const result = await runner.run(shell('sleep 60 & echo $!'));
    expect(result).toMatchObject({ kind: 'exited', code: 0 });
    const pid = result.kind === 'exited' ? Number(result.stdout) : 0;
    expect(pid).toBeGreaterThan(0);
    expect(await waitUntil(() => !isAlive(pid))).toBe(true);
  });

  it('delivers output up to the limit whole, in UTF-8', async () => {
    const result = await runner.run(shell('i=0; while [ $i -lt 5000 ]; do printf äöü; i=$((i+1)); done'));
    expect(result.kind === 'exited' && result.stdout).toBe('äöü'.repeat(5000));
  });
});
