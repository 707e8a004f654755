import { execFileSync } from 'node:child_process';
import { describe, expect, it, onTestFinished } from 'vitest';
import { type CommandRequest, type CommandRunner, createCommandRunner } from '../../../src/runtime/command.ts';
import type { ProbeOutcome } from '../../../src/sources/checks/outcome.ts';
import { probeIcmp } from '../../../src/sources/checks/probe-icmp.ts';

const works = (file: string, ...args: readonly string[]): boolean => {
  try {
    execFileSync(file, args, { stdio: 'ignore', timeout: 10_000 });
    return true;
  } catch {
    return false;
  }
};

const ping = async (host: string, commands: CommandRunner, timeoutMs = 1_000): Promise<ProbeOutcome> =>
  (
    await probeIcmp(
      { kind: 'icmp', name: 'it', resource: null, intervalMs: null, host, timeoutMs },
      commands,
      AbortSignal.timeout(20_000),
    )
  ).probe;

const real = createCommandRunner();
const hasPing = works('ping', '-V');

describe.skipIf(!hasPing)('probeIcmp with the real ping (needs iputils-ping)', () => {
  it.each(['127.0.0.1', '::1', 'localhost'])('gets an answer of %s', async (host) => {
    expect(await ping(host, real)).toEqual({ kind: 'answered', latencyMs: expect.any(Number) });
  });

  it('takes an option for a host, not for an option', async () => {
    expect(await ping('-V', real)).not.toMatchObject({ kind: 'answered' });
  });
});

describe('probeIcmp', () => {
  it('says that ping is not installed, instead of that nothing answers', async () => {
    const missing: CommandRunner = { run: async () => ({ kind: 'not_found' }) };
    expect(await ping('192.0.2.1', missing)).toMatchObject({ kind: 'unknown', code: 'not_installed', local: false });
  });

  it.each([
    [{ kind: 'not_permitted' }, 'not_permitted'],
    [{ kind: 'timed_out', timeoutMs: 3_000, stderr: '' }, 'timed_out'],
    [{ kind: 'signalled', signal: 'SIGSEGV', stderr: '' }, 'failed'],
    [{ kind: 'aborted' }, 'timed_out'],
  ] as const)('does not take a ping that ended as %j for silence', async (result, code) => {
    expect(await ping('192.0.2.1', { run: async () => result })).toMatchObject({ kind: 'unknown', code });
  });
});

const canNetns = hasPing && process.geteuid?.() === 0 && works('unshare', '-n', 'ip', 'link', 'show', 'lo');

describe.skipIf(!canNetns)('probeIcmp in network namespaces (needs root and iproute2)', () => {
  const ip = (...args: readonly string[]): void => {
    execFileSync('ip', args, { stdio: 'pipe', timeout: 10_000 });
  };
  const inNetwork = (...prefix: readonly string[]): CommandRunner => ({
    run: (request: CommandRequest) =>
      real.run({ ...request, file: prefix[0] ?? '', args: [...prefix.slice(1), request.file, ...request.args] }),
  });

  /** Two namespaces with a cable between them; everything goes with them. */
  const lay = (): { readonly near: string; readonly far: string } => {
    const near = `pnear${process.pid}`;
    const far = `pfar${process.pid}`;
    onTestFinished(() => {
      for (const name of [near, far]) works('ip', 'netns', 'del', name);
    });
    ip('netns', 'add', near);
    ip('netns', 'add', far);
    ip('-n', near, 'link', 'add', 'v0', 'type', 'veth', 'peer', 'name', 'v1', 'netns', far);
    for (const [name, link, address] of [
      [near, 'v0', '198.51.100.1/30'],
      [far, 'v1', '198.51.100.2/30'],
    ] as const) {
      ip('-n', name, 'addr', 'add', address, 'dev', link);
      ip('-n', name, 'link', 'set', link, 'up');
    }
    return { near, far };
  };

  it('takes a host that drops pings for silent, and one that does not for answering', async () => {
    const { near, far } = lay();
    const commands = inNetwork('ip', 'netns', 'exec', near);
    expect(await ping('198.51.100.2', commands)).toMatchObject({ kind: 'answered' });
    execFileSync('ip', ['netns', 'exec', far, 'sysctl', '-qw', 'net.ipv4.icmp_echo_ignore_all=1'], { timeout: 10_000 });
    expect(await ping('198.51.100.2', commands)).toMatchObject({
      kind: 'not_answered',
      reason: expect.stringMatching(/^198\.51\.100\.2 did not answer \d+ pings$/),
    });
  });

  it('repeats what the network says of a host that is gone', async () => {
    const { near, far } = lay();
    ip('-n', far, 'link', 'set', 'v1', 'down');
    expect(await ping('198.51.100.2', inNetwork('ip', 'netns', 'exec', near), 5_000)).toMatchObject({
      kind: 'not_answered',
    });
  });

  it('blames a network that is down on this side on nobody', async () => {
    expect(await ping('192.0.2.1', inNetwork('unshare', '-n'))).toMatchObject({ kind: 'unknown', local: true });
    expect(await ping('2001:db8::1', inNetwork('unshare', '-n'))).toMatchObject({ kind: 'unknown', local: true });
  });
});
