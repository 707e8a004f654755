import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { Survey } from '../../../signals/survey.ts';
import { checksConfigSchema } from '../../../src/sources/checks/checks-config.ts';
import { checksSource } from '../../../src/sources/checks/checks-source.ts';
import type { SourceDeps } from '../../../src/sources/source.ts';
import { surveySource } from '../../../src/sources/survey-source.ts';
import { createFakeClock } from '../../support/fake-clock.ts';
import { startRawServer, startScriptedServer } from '../../support/scripted-server.ts';
import { sourceDeps, surveyRequest } from '../../support/source-deps.ts';
import { temporaryDirectory } from '../../support/temporary-directory.ts';

const sourceOf = (entries: readonly object[], deps: SourceDeps = sourceDeps()) =>
  checksSource.create('checks', checksConfigSchema.parse(entries), deps);

const survey = async (entries: readonly object[], deps: SourceDeps = sourceDeps()): Promise<Survey> =>
  surveySource({ source: sourceOf(entries, deps), request: surveyRequest(), timeoutMs: 30_000 }, deps);

const webServer = async (status = 200) => {
  const server = await startScriptedServer((_request, response) => response.writeHead(status).end('ok'));
  onTestFinished(() => server.close());
  return server;
};

const closedPort = async (): Promise<string> => {
  const server = await startRawServer(() => undefined);
  await server.close();
  return new URL(server.url).host;
};

describe('checksSource', () => {
  it('gives a reading a check, in whole surveys, whether it answers or not', async () => {
    const server = await webServer();
    const port = await closedPort();
    const seen = await survey([
      { name: 'web', http: server.url },
      { name: 'ssh', tcp: port },
    ]);
    expect(seen.outcome).toBe('ok');
    expect(seen.readings).toMatchObject([
      { ref: 'web', kind: 'probe', check: 'web', probe: 'http', answered: true, reason: null },
      {
        ref: 'ssh',
        kind: 'probe',
        check: 'ssh',
        probe: 'tcp',
        answered: false,
        reason: expect.stringContaining('refused'),
        latencyMs: null,
      },
    ]);
    expect(seen.gaps).toEqual([]);
    expect(seen.listed).toEqual([{ kind: 'endpoint', parentRef: null }]);
  });

  it('claims an endpoint of its own, or the resource that the operator named', async () => {
    const { claims } = await survey([
      { name: 'web', http: (await webServer()).url },
      { name: 'nas-web', resource: 'home/vm/104', http: (await webServer()).url },
    ]);
    expect(claims).toMatchObject([
      {
        ref: 'web',
        kind: 'endpoint',
        refersTo: null,
        status: 'running',
        keys: [{ key: 'check:web', strength: 'proof' }],
        expects: ['probe'],
      },
      { ref: 'nas-web', kind: 'endpoint', refersTo: 'home/vm/104', status: 'unknown' },
    ]);
  });

  it('does not call the survey partial because a server is down, but says why there is no certificate', async () => {
    const seen = await survey([
      { name: 'web', http: `https://${await closedPort()}/` },
      { name: 'other', http: (await webServer()).url },
    ]);
    expect(seen.outcome).toBe('ok');
    expect(seen.claims[0]?.expects).toEqual(['probe', 'certificate']);
    expect(seen.gaps).toMatchObject([{ ref: 'web', reads: ['certificate'], code: 'not_answering' }]);
    expect(seen.readings[0]).toMatchObject({ kind: 'probe', answered: false });
  });

  it('is partial where this side could not ask', async () => {
    const seen = await survey([
      { name: 'web', http: (await webServer()).url },
      { name: 'odd', tcp: '[ff02::1%lo]:1' },
    ]);
    expect(seen).toMatchObject({ outcome: 'partial', reason: expect.stringContaining('check odd:') });
    expect(seen.gaps).toMatchObject([{ ref: 'odd', reads: ['probe'], code: 'unreachable' }]);
    expect(seen.readings).toHaveLength(1);
  });

  it('fails where nothing at all could be asked from here', async () => {
    const seen = await survey([{ name: 'odd', tcp: '[ff02::1%lo]:1' }]);
    expect(seen).toMatchObject({
      outcome: 'failed',
      reason: expect.stringContaining('the network of this machine is down'),
      readings: [],
    });
  });

  it('asks the slow ones only when they are due, and keeps to that after a restart', async () => {
    const server = await webServer();
    const clock = createFakeClock(Date.now());
    const deps = sourceDeps({ clock });
    const entries = [{ name: 'slow', http: server.url, interval: '10m' }];
    const look = (paces: readonly ('fast' | 'hourly')[]) => sourceOf(entries, deps).survey(surveyRequest({ paces }));
    expect((await look(['fast'])).readings).toHaveLength(1);
    await clock.advance(300_000);
    const early = await look(['fast']);
    expect(early.readings).toEqual([]);
    expect(early.gaps).toMatchObject([{ ref: 'slow', reads: ['probe'], code: 'not_due' }]);
    expect(early.claims).toHaveLength(1);
    expect((await look(['fast', 'hourly'])).readings).toHaveLength(1);
    await clock.advance(600_000);
    expect((await look(['fast'])).readings).toHaveLength(1);
    clock.setWallClock(clock.nowMs() - 86_400_000);
    expect((await look(['fast'])).readings).toHaveLength(1);
    expect(server.requests).toHaveLength(4);
  });

  it('runs many checks that hang side by side, each within its own time', async () => {
    const server = await startRawServer(() => undefined);
    onTestFinished(() => server.close());
    const entries = Array.from({ length: 60 }, (_, index) => ({
      name: `c${index}`,
      http: server.url,
      timeout: '300ms',
    }));
    const startedMs = performance.now();
    const seen = await survey(entries);
    expect(performance.now() - startedMs).toBeLessThan(5_000);
    expect(seen.readings.every((reading) => reading.kind === 'probe' && !reading.answered)).toBe(true);
    expect(seen.readings).toHaveLength(60);
  });

  it('ends when the survey is cancelled', async () => {
    const server = await startRawServer(() => undefined);
    onTestFinished(() => server.close());
    const controller = new AbortController();
    const running = sourceOf([{ name: 'a', http: server.url }]).survey(surveyRequest({ signal: controller.signal }));
    setTimeout(() => controller.abort(), 50);
    const sighting = await running;
    expect(sighting.gaps).toMatchObject([{ code: 'timed_out' }]);
    expect(sighting.readings).toEqual([]);
  });

  it('says in one sentence what answers', async () => {
    const server = await webServer();
    const signal = AbortSignal.timeout(10_000);
    expect(await sourceOf([{ name: 'web', http: server.url }]).probe(signal)).toBe('all 1 checks answer');
    expect(
      await sourceOf([
        { name: 'web', http: server.url },
        { name: 'ssh', tcp: await closedPort() },
      ]).probe(signal),
    ).toBe('1 of 2 checks answer; not: ssh');
  });
});

const works = (file: string, ...args: readonly string[]): boolean => {
  try {
    execFileSync(file, args, { stdio: 'ignore', timeout: 10_000 });
    return true;
  } catch {
    return false;
  }
};

const hasNamespaces = process.geteuid?.() === 0 && works('unshare', '-n', '-m', 'true');

describe.skipIf(!hasNamespaces)('checksSource in a network of its own (needs root and unshare)', () => {
  const script = fileURLToPath(new URL('../../support/survey-checks-script.ts', import.meta.url));
  const surveyIn = (setup: string, entries: readonly object[]): Survey => {
    const command = `${setup}; exec "$0" "$@"`;
    const args = ['-n', '-m', 'sh', '-c', command, process.execPath, '--no-warnings', script, JSON.stringify(entries)];
    return JSON.parse(execFileSync('unshare', args, { encoding: 'utf8', timeout: 60_000 }));
  };
  const entries = [
    { name: 'web', http: 'https://192.0.2.10/', timeout: '2s' },
    { name: 'ssh', tcp: '[2001:db8::10]:22', timeout: '2s' },
    { name: 'ping', icmp: '192.0.2.10', timeout: '2s' },
    { name: 'named', http: 'http://nas.example/', timeout: '2s' },
  ];

  it('blames no endpoint when this machine has no network', () => {
    const seen = surveyIn('true', entries);
    expect(seen).toMatchObject({
      outcome: 'failed',
      readings: [],
      reason: expect.stringContaining('network of this machine is down'),
    });
  });

  it('tells a name that DNS does not know from a resolver that does not answer', () => {
    const directory = temporaryDirectory();
    const server = join(directory, 'dns.mjs');
    // Answers NXDOMAIN to everything: the question again, with the header's response bits and code 3.
    writeFileSync(
      server,
      `import dgram from 'node:dgram';
       const socket = dgram.createSocket('udp4');
       socket.on('message', (m, peer) => { m[2] |= 0x80; m[3] = 0x83; socket.send(m, peer.port, peer.address); });
       socket.bind(53, '127.0.0.1');
       setTimeout(() => process.exit(), 20000);`,
    );
    const resolver = join(directory, 'resolv.conf');
    writeFileSync(resolver, 'nameserver 127.0.0.1\noptions timeout:1 attempts:1\n');
    const base = `ip link set lo up; mount --bind ${resolver} /etc/resolv.conf`;
    const named = [
      { name: 'named', http: 'http://nas.example/', timeout: '5s' },
      { name: 'lo', icmp: '127.0.0.1' },
    ];
    const silent = surveyIn(base, named);
    expect(silent.outcome).toBe('partial');
    expect(silent.gaps).toMatchObject([
      { ref: 'named', code: 'unreachable', reason: expect.stringContaining('EAI_AGAIN') },
    ]);
    // The server ends with its namespace's last process: `exec` would leave it behind, so it is killed by its id.
    const answering = surveyIn(`${base}; "$0" ${server} & sleep 1; trap "kill $!" EXIT; "$0" "$@"; exit 0`, named);
    expect(answering.outcome).toBe('ok');
    expect(answering.readings[0]).toMatchObject({
      ref: 'named',
      answered: false,
      reason: expect.stringContaining('DNS does not know'),
    });
  });
});
