/** What readings a real engine gives of containers in every state. */
import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { ReadingBody } from '../../../signals/reading.ts';
import { systemClock } from '../../../src/runtime/clock.ts';
import { createLogger } from '../../../src/runtime/logger.ts';
import { dockerSource } from '../../../src/sources/docker/docker-source.ts';
import type { Sighting, Source } from '../../../src/sources/source.ts';
import { createMemoryState } from '../../support/memory-state.ts';
import { type RealDocker, startRealDocker, whyNoRealDocker } from '../../support/real-docker.ts';

const missing = whyNoRealDocker();
const MIB = 2 ** 20;
const FOREVER = ['sleep', '1000'];
const sh = (script: string): readonly string[] => ['sh', '-c', script];

let docker: RealDocker;
let source: Source;

const openSource = (): Source =>
  dockerSource.create(
    'engine',
    { socket: docker.socketPath, ignore: ['ignored-*'] },
    {
      clock: systemClock,
      logger: createLogger({ level: 'silent', clock: systemClock }),
      localMachineId: 'm1',
      state: createMemoryState(),
    },
  );

const survey = (): Promise<Sighting> =>
  source.survey({
    signal: AbortSignal.timeout(30_000),
    windowsMs: { cpu: [], memory: [], temperature: [] },
    lastSurveyAtMs: null,
    paces: ['fast'],
  });

interface Seen {
  readonly status: string | undefined;
  readonly expects: readonly string[] | undefined;
  reading<K extends ReadingBody['kind']>(kind: K): Extract<ReadingBody, { kind: K }> | undefined;
}

const see = (sighting: Sighting, name: string): Seen => {
  const claim = sighting.claims.find((each) => each.kind === 'container' && each.name === name);
  return {
    status: claim?.status,
    expects: claim?.expects,
    reading: <K extends ReadingBody['kind']>(kind: K) =>
      sighting.readings.find((each) => each.ref === claim?.ref && each.kind === kind) as
        | Extract<ReadingBody, { kind: K }>
        | undefined,
  };
};

const look = async (name: string): Promise<Seen> => see(await survey(), name);
const container = async (name: string) => (await look(name)).reading('container');

describe.skipIf(missing !== null)(`a real engine${missing === null ? '' : ` (skipped: ${missing})`}`, () => {
  beforeAll(async () => {
    docker = await startRealDocker();
    source = openSource();
  });
  afterEach(() => docker.removeAll());
  afterAll(async () => {
    await source?.close();
    await docker?.close();
  });

  it('tells a sentence about itself', async () => {
    expect(await source.probe(AbortSignal.timeout(10_000))).toMatch(
      /^docker \S+ \(API 1\.4\d\) on .+: \d+ containers?, \d+ running$/,
    );
  });

  it('is this machine, and lists its containers to the end', async () => {
    const sighting = await survey();
    expect(sighting.claims[0]).toMatchObject({
      kind: 'host',
      keys: [{ key: 'machine-id:m1' }, { key: expect.stringMatching(/^docker-engine:/) }],
    });
    expect(sighting.listed).toEqual([{ kind: 'container', parentRef: 'host' }]);
    expect(sighting.gaps).toEqual([]);
  });

  it('tells a healthy container, and what of it is expected', async () => {
    const Labels = { 'com.docker.compose.project': 'shop', 'patrold.tags': 'front' };
    const id = await docker.run({
      name: 'healthy',
      command: FOREVER,
      memoryBytes: 64 * MIB,
      health: { command: 'true' },
      labels: Labels,
    });
    await docker.waitFor('healthy', ({ State }) => State.Health?.Status === 'healthy');
    const sighting = await survey();
    expect(sighting.claims.find(({ name }) => name === 'healthy')).toMatchObject({
      tags: ['project:shop', 'front'],
      status: 'running',
      facts: { image: 'patrold-test:1' },
    });
    const seen = see(sighting, 'healthy');
    expect(seen.expects).toEqual(['container', 'cpu', 'container_memory']);
    expect(seen.reading('container')).toMatchObject({
      instanceId: id,
      state: 'running',
      health: 'healthy',
      unhealthySinceMs: null,
      exitCode: null,
      oomKilled: false,
      stopRequestedAtMs: null,
    });
    expect(seen.reading('container_memory')).toMatchObject({ limitBytes: 64 * MIB });
    expect(sighting.gaps).toEqual([]);
  });

  it('tells an unhealthy container, since when, and what its check said', async () => {
    await docker.run({
      name: 'unhealthy',
      command: FOREVER,
      health: { command: 'echo no answer; exit 1', retries: 2 },
    });
    const turned = await docker.waitFor('unhealthy', ({ State }) => State.Health?.Status === 'unhealthy');
    const turnedAtMs = Date.now();
    expect(turned.State.Health?.FailingStreak).toBeGreaterThanOrEqual(2);
    expect(await look('unhealthy')).toMatchObject({ status: 'degraded' });
    // Long enough for the failure that made it so to be no longer among those that the engine keeps.
    await docker.waitFor('unhealthy', ({ State }) => (State.Health?.FailingStreak ?? 0) > 9);
    const reading = await container('unhealthy');
    expect(reading).toMatchObject({ state: 'running', health: 'unhealthy', lastProbeOutput: 'no answer' });
    expect(Math.abs((reading?.unhealthySinceMs ?? 0) - turnedAtMs)).toBeLessThan(3_000);
    await docker.exec('unhealthy', ['true']);
  });

  it('tells nothing of the health of what is paused, and expects no figures of it', async () => {
    await docker.run({ name: 'paused', command: FOREVER, health: { command: 'true', intervalMs: 60_000 } });
    await docker.pause('paused');
    const seen = await look('paused');
    expect(seen).toMatchObject({ status: 'paused', expects: ['container'] });
    expect(seen.reading('container')).toMatchObject({ state: 'paused', health: 'starting' });
    await docker.unpause('paused');
    expect((await look('paused')).reading('container')).toMatchObject({ state: 'running' });
  });

  it('tells a restart loop by its count, and a restart by hand by a new one', async () => {
    await docker.run({ name: 'looping', command: sh('exit 3'), restart: 'always' });
    await docker.waitFor('looping', ({ RestartCount, State }) => RestartCount >= 3 && State.Status === 'restarting');
    const seen = await look('looping');
    expect(seen.status).toBe('failed');
    expect(seen.reading('container')).toMatchObject({
      state: 'restarting',
      exitCode: 3,
      restartPolicy: 'always',
      restartCount: expect.any(Number),
      stopRequestedAtMs: null,
    });
    const counted = seen.reading('container')?.restartCount ?? 0;
    expect(counted).toBeGreaterThanOrEqual(3);
    await docker.stop('looping');
    await docker.start('looping');
    expect((await container('looping'))?.restartCount).toBeLessThan(counted);
  });

  it('tells retries that are used up', async () => {
    await docker.run({ name: 'exhausted', command: sh('exit 4'), restart: 'on-failure', maxRetries: 2 });
    await docker.waitFor('exhausted', ({ State }) => State.Status === 'exited');
    expect(await container('exhausted')).toMatchObject({
      state: 'exited',
      exitCode: 4,
      restartPolicy: 'on-failure',
      maxRetries: 2,
      restartCount: 2,
    });
  });

  it('tells a container that the kernel killed for its memory', async () => {
    const eat = sh('x=aaaaaaaaaaaaaaaa; while true; do x=$x$x; done');
    await docker.run({ name: 'oom', command: eat, memoryBytes: 16 * MIB });
    await docker.waitFor('oom', ({ State }) => State.Status === 'exited');
    expect(await container('oom')).toMatchObject({
      state: 'exited',
      oomKilled: true,
      exitCode: 137,
      stopRequestedAtMs: null,
    });
  });

  it('tells memory that is held, and not the cache of files', async () => {
    const hold =
      'dd if=/dev/zero of=/f bs=1M count=80; x=aaaaaaaaaaaaaaaa; for i in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do x=$x$x; done; sleep 1000; true';
    await docker.run({ name: 'full', command: sh(hold), memoryBytes: 200 * MIB });
    let memory = (await look('full')).reading('container_memory');
    for (let tries = 0; tries < 10 && (memory?.workingSetBytes ?? 0) < 16 * MIB; tries += 1) {
      await wait(250);
      memory = (await look('full')).reading('container_memory');
    }
    expect(memory).toMatchObject({ limitBytes: 200 * MIB, windowMs: 0, observedRatio: 1 });
    expect(memory?.workingSetBytes).toBeGreaterThan(16 * MIB);
    expect(memory?.workingSetBytes).toBeLessThan(70 * MIB);
  });

  it('tells the CPU use in relation to what the container may use', async () => {
    await docker.run({ name: 'busy', command: sh('while true; do true; done'), cpus: 0.2 });
    const first = (await look('busy')).reading('cpu');
    expect(first?.windowMs).toBeLessThan(5_000);
    await wait(2_000);
    const second = (await look('busy')).reading('cpu');
    expect(second?.busyRatio).toBeGreaterThan(0.7);
    expect(second?.busyRatio).toBeLessThan(1.3);
    expect(second?.windowMs).toBeGreaterThan(1_900);
  });

  it.each([
    ['ends well', 'exit 0', 0],
    ['ends with an error', 'exit 1', 1],
  ])('tells a container that %s by itself, and that nobody asked for it', async (_what, script, exitCode) => {
    const name = `exits-${exitCode}`;
    await docker.run({ name, command: sh(script) });
    await docker.waitFor(name, ({ State }) => State.Status === 'exited');
    const seen = await look(name);
    expect(seen).toMatchObject({ status: 'stopped', expects: ['container'] });
    const reading = seen.reading('container');
    expect(reading).toMatchObject({ state: 'exited', exitCode, stopRequestedAtMs: null, startError: null });
    expect(reading?.stopsKnownSinceMs ?? Number.POSITIVE_INFINITY).toBeLessThan(reading?.finishedAtMs ?? 0);
  });

  it.each([
    ['docker stop, which it does not heed', FOREVER, 137, (name: string) => docker.stop(name)],
    [
      'docker stop, on which it ends with a code of its own',
      sh('trap "exit 5" TERM; while true; do sleep 0.1; done'),
      5,
      (name: string) => docker.stop(name, 10),
    ],
    ['docker kill', FOREVER, 137, (name: string) => docker.kill(name)],
    [
      'a signal through the API',
      sh('trap "exit 6" INT; while true; do sleep 0.1; done'),
      6,
      (name: string) => docker.kill(name, 'INT'),
    ],
  ])('tells a stop that was asked for by %s', async (what, command, exitCode, stop) => {
    const name = `stopped-${what.length}`;
    await docker.run({ name, command });
    await wait(300);
    const askedAtMs = Date.now();
    await stop(name);
    await docker.waitFor(name, ({ State }) => State.Status === 'exited');
    const reading = await container(name);
    expect(reading).toMatchObject({ state: 'exited', exitCode, oomKilled: false });
    expect(Math.abs((reading?.stopRequestedAtMs ?? 0) - askedAtMs)).toBeLessThan(1_000);
    expect(reading?.stopRequestedAtMs).toBeLessThanOrEqual(reading?.finishedAtMs ?? 0);
  });

  it('takes a signal that ends nothing for no stop', async () => {
    await docker.run({ name: 'reloading', command: sh('trap "true" HUP; while true; do sleep 0.1; done') });
    await wait(300);
    await docker.kill('reloading', 'HUP');
    expect(await container('reloading')).toMatchObject({ state: 'running', stopRequestedAtMs: null });
  });

  it('tells a start that failed', async () => {
    await docker.run({ name: 'unstartable', command: ['/nope'] });
    const seen = await look('unstartable');
    expect(seen.status).toBe('failed');
    expect(seen.reading('container')).toMatchObject({
      state: 'created',
      exitCode: 127,
      startedAtMs: null,
      startError: expect.stringMatching(/no such file/),
    });
  });

  it('tells a container that was only created', async () => {
    await docker.run({ name: 'created', command: FOREVER, start: false });
    expect((await look('created')).reading('container')).toMatchObject({
      state: 'created',
      exitCode: null,
      startError: null,
      startedAtMs: null,
    });
  });

  it('follows a new name, keeps the name of what is made anew, and drops what is gone', async () => {
    const first = await docker.run({ name: 'before', command: FOREVER });
    await docker.rename('before', 'after');
    const renamed = await survey();
    expect(see(renamed, 'before').status).toBeUndefined();
    expect(see(renamed, 'after').reading('container')).toMatchObject({ instanceId: first });
    await docker.remove('after');
    const second = await docker.run({ name: 'after', command: FOREVER });
    expect(second).not.toBe(first);
    const anew = await survey();
    expect(anew.claims.find(({ name }) => name === 'after')).toMatchObject({
      ref: second,
      keys: [{ key: 'container-name:after' }],
    });
    expect(see(anew, 'after').reading('container')).toMatchObject({ instanceId: second, restartCount: 0 });
    await docker.remove('after');
    expect(see(await survey(), 'after').status).toBeUndefined();
  });

  it('leaves out what is ignored, and what removes itself', async () => {
    await docker.run({ name: 'ignored-1', command: FOREVER });
    await docker.run({ name: 'once', command: sh('exit 1'), autoRemove: true });
    let sighting = await survey();
    for (let tries = 0; tries < 40 && see(sighting, 'once').status !== undefined; tries += 1) {
      await wait(100);
      sighting = await survey();
    }
    expect(see(sighting, 'once').status).toBeUndefined();
    expect(see(sighting, 'ignored-1').status).toBeUndefined();
    expect(sighting.gaps).toEqual([]);
  });

  it('knows nothing of stops before the events that the engine still has', async () => {
    await docker.run({ name: 'chatty', command: FOREVER });
    const before = (await container('chatty'))?.stopsKnownSinceMs ?? 0;
    // 256 events are kept; each rename is one.
    for (let turn = 0; turn < 140; turn += 1) {
      await docker.rename('chatty', 'chatty2');
      await docker.rename('chatty2', 'chatty');
    }
    expect((await container('chatty'))?.stopsKnownSinceMs).toBeGreaterThan(before);
  });
});
