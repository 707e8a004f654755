import { describe, expect, it } from 'vitest';
import { gapsOf, kindsOf, namesOf, readingsOf, WATCH_BEGINS_MS, watchDocker } from '../../support/docker-watch.ts';
import {
  containerId,
  eventAnswer,
  infoAnswer,
  inspectedAnswer,
  lines,
  listedAnswer,
  plain,
  podmanVersionAnswer,
  startScriptedEngine,
  statsAnswer,
  status,
} from '../../support/scripted-engine.ts';

const web = containerId(1);
const db = containerId(2);
const MIB = 2 ** 20;

describe('a survey of an engine that answers', () => {
  it('reads the host and every container, and says that the list was whole', async () => {
    const sighting = await watchDocker((await startScriptedEngine()).socketPath).survey();
    expect(namesOf(sighting)).toEqual(['nas', 'db', 'web']);
    expect(kindsOf(sighting, web)).toEqual(['container', 'container_memory']);
    expect(sighting.listed).toEqual([{ kind: 'container', parentRef: 'host' }]);
    expect(gapsOf(sighting)).toEqual([]);
    expect(
      sighting.readings.every(({ takenAtMs }) => takenAtMs >= WATCH_BEGINS_MS && takenAtMs <= WATCH_BEGINS_MS + 60_000),
    ).toBe(true);
  });

  it('asks with the version that was negotiated, for one sample, and never for what has not been listed', async () => {
    const engine = await startScriptedEngine({ 1: 'web' });
    await watchDocker(engine.socketPath).survey();
    expect(engine.asked.slice(0, 5).map((path) => path.replace(/since=.*/, ''))).toEqual([
      '/version',
      '/v1.41/info',
      '/v1.41/containers/json?all=1',
      `/v1.41/containers/${web}/json`,
      `/v1.41/containers/${web}/stats?stream=false&one-shot=true`,
    ]);
  });

  it('takes the CPU use between two surveys, and a second apart where there was none before', async () => {
    const engine = await startScriptedEngine({ 1: 'web' });
    const watching = watchDocker(engine.socketPath);
    let usedMs = 0;
    // Half a CPU of four, whatever the distance.
    engine.script(`/containers/${web}/stats`, (request: never, response: never) => {
      usedMs = (watching.clock.nowMs() - WATCH_BEGINS_MS) * 0.5;
      plain(JSON.stringify(statsAnswer(new Date(watching.clock.nowMs()).toISOString(), usedMs)))(request, response);
    });
    const first = await watching.survey();
    expect(readingsOf(first, web).find(({ kind }) => kind === 'cpu')).toMatchObject({
      busyRatio: 0.125,
      windowMs: 1_000,
    });
    await watching.clock.advance(299_000);
    const second = await watching.survey();
    expect(readingsOf(second, web).find(({ kind }) => kind === 'cpu')).toMatchObject({
      busyRatio: 0.125,
      windowMs: 299_000,
    });
    await watching.clock.advance(86_400_000);
    const third = await watching.survey();
    expect(readingsOf(third, web).find(({ kind }) => kind === 'cpu')).toMatchObject({ windowMs: 1_000 });
  });

  it('expects memory only of a container with a limit, and CPU only of one that runs', async () => {
    const engine = await startScriptedEngine();
    engine.script(`/containers/${web}/json`, inspectedAnswer(1, {}, { Memory: 128 * MIB }));
    engine.script(`/containers/${db}/json`, inspectedAnswer(2, { Status: 'paused' }));
    const sighting = await watchDocker(engine.socketPath).survey();
    expect(sighting.claims.map(({ name, expects }) => [name, expects])).toEqual([
      ['nas', []],
      ['db', ['container']],
      ['web', ['container', 'cpu', 'container_memory']],
    ]);
    expect(readingsOf(sighting, web)).toContainEqual(
      expect.objectContaining({ kind: 'container_memory', workingSetBytes: 70 * MIB, limitBytes: 128 * MIB }),
    );
    expect(engine.asked.some((path) => path.includes(`${db}/stats`))).toBe(false);
  });

  it('takes what was removed between two questions for gone, which is no failure', async () => {
    const engine = await startScriptedEngine({ 1: 'web', 2: 'db', 3: 'job' });
    engine.script(`/containers/${web}/json`, status(404, `No such container: ${web}`));
    engine.script(`/containers/${db}/stats`, status(404, `No such container: ${db}`));
    const sighting = await watchDocker(engine.socketPath).survey();
    expect(namesOf(sighting)).toEqual(['nas', 'job']);
    expect(gapsOf(sighting)).toEqual([]);
    expect(sighting.listed).toHaveLength(1);
  });

  it('does not miss the use of a container that ended while it was looked at', async () => {
    const engine = await startScriptedEngine({ 1: 'web' });
    engine.script(`/containers/${web}/stats`, statsAnswer('0001-01-01T00:00:00Z', 0));
    const sighting = await watchDocker(engine.socketPath).survey();
    expect(sighting.claims.at(-1)?.expects).toEqual(['container']);
    expect(sighting.gaps).toEqual([]);
  });

  it('leaves out what is ignored', async () => {
    expect(namesOf(await watchDocker((await startScriptedEngine()).socketPath).survey({ ignore: ['d*'] }))).toEqual([
      'nas',
      'web',
    ]);
  });

  it('tells who was stopped on purpose, also surveys later and when the event is long forgotten', async () => {
    const engine = await startScriptedEngine({ 1: 'web' });
    const watching = watchDocker(engine.socketPath);
    await watching.survey();
    const down = { Status: 'exited', ExitCode: 1, FinishedAt: '2026-03-01T12:01:01Z' };
    engine.script(`/containers/${web}/json`, inspectedAnswer(1, down));
    const stop = [
      eventAnswer(1, 'kill', '2026-03-01T12:01:00Z', { signal: '15' }),
      eventAnswer(1, 'die', '2026-03-01T12:01:01Z', { exitCode: '1' }),
      eventAnswer(1, 'stop', '2026-03-01T12:01:01Z'),
    ];
    engine.script('/events', plain(lines(stop)));
    await watching.clock.advance(300_000);
    const requested = expect.objectContaining({
      kind: 'container',
      exitCode: 1,
      stopRequestedAtMs: Date.parse('2026-03-01T12:01:00Z'),
    });
    expect(readingsOf(await watching.survey(), web)).toContainEqual(requested);
    engine.script('/events', plain(''));
    await watching.clock.advance(300_000);
    expect(readingsOf(await watching.survey(), web)).toContainEqual(requested);
  });

  it('inspects a container no more that has been down for hours', async () => {
    const engine = await startScriptedEngine({ 1: 'web' });
    engine.script('/containers/json', [listedAnswer(1, 'web', { State: 'exited', Status: 'Exited (0) 3 days ago' })]);
    engine.script(
      `/containers/${web}/json`,
      inspectedAnswer(1, { Status: 'exited', FinishedAt: '2026-02-26T12:00:00Z' }),
    );
    const watching = watchDocker(engine.socketPath);
    const first = await watching.survey();
    await watching.clock.advance(300_000);
    const second = await watching.survey();
    expect(engine.asked.filter((path) => path.endsWith(`${web}/json`))).toHaveLength(1);
    expect(readingsOf(second, web)).toEqual(
      readingsOf(first, web).map((reading) => ({
        ...reading,
        takenAtMs: expect.any(Number),
        stopsKnownSinceMs: expect.any(Number),
      })),
    );
    expect(readingsOf(second, web)[0]?.takenAtMs).toBeGreaterThan(WATCH_BEGINS_MS + 299_000);
    await watching.clock.advance(3_000_000);
    await watching.survey();
    expect(engine.asked.filter((path) => path.endsWith(`${web}/json`))).toHaveLength(2);
  });

  it('is none the worse for a memory that another version wrote', async () => {
    const engine = await startScriptedEngine();
    const watching = watchDocker(engine.socketPath);
    for (const key of ['cpu', 'stops', 'cursor', 'inspections'])
      watching.state.set(key, { [web]: { what: ['is', 'this'] } });
    expect(gapsOf(await watching.survey())).toEqual([]);
  });
});

describe('a survey of other engines', () => {
  it('waits for the second sample of an engine that knows no single one', async () => {
    const engine = await startScriptedEngine({ 1: 'web' });
    engine.script('/version', { Version: '19.03.5', ApiVersion: '1.40', MinAPIVersion: '1.12' });
    await watchDocker(engine.socketPath).survey();
    expect(engine.asked).toContain(`/v1.40/containers/${web}/stats?stream=false`);
  });

  it('reads Podman, whose answers leave things out, and whose id is another at each question', async () => {
    const engine = await startScriptedEngine({ 1: 'web' });
    engine.script('/version', podmanVersionAnswer);
    engine.script('/containers/json', [
      listedAnswer(1, 'web', { State: 'stopped', Status: 'Exited (0) 2 minutes ago', Labels: null }),
    ]);
    const { Config: _config, ...inspected } = inspectedAnswer(1, { Status: 'stopped' }, { RestartPolicy: null });
    engine.script(`/containers/${web}/json`, inspected);
    const sighting = await watchDocker(engine.socketPath).survey();
    expect(sighting.claims[0]).toMatchObject({ keys: [{ key: 'machine-id:m1' }], facts: { engine: 'podman' } });
    expect(readingsOf(sighting, web)).toMatchObject([{ state: 'exited', restartPolicy: 'no', health: 'none' }]);
    expect(gapsOf(sighting)).toEqual([]);
    expect(engine.asked.some((path) => path.startsWith('/v1.41/events') && path.includes('filters='))).toBe(true);
  });

  it('measures no use of Windows containers, which count in other units', async () => {
    const engine = await startScriptedEngine({ 1: 'web' });
    engine.script('/info', { ...infoAnswer, OSType: 'windows' });
    const sighting = await watchDocker(engine.socketPath).survey();
    expect(sighting.claims.at(-1)?.expects).toEqual(['container']);
    expect(kindsOf(sighting, web)).toEqual(['container']);
  });

  it('corrects what an engine says by how far its clock is off, and says so', async () => {
    const engine = await startScriptedEngine({ 1: 'web' });
    engine.script('/info', { ...infoAnswer, SystemTime: '2026-03-01T13:00:00Z' });
    const sighting = await watchDocker(engine.socketPath).survey();
    expect(readingsOf(sighting, web)[0]).toMatchObject({
      kind: 'container',
      startedAtMs: Date.parse('2026-03-01T09:00:00Z'),
    });
    expect(gapsOf(sighting)).toEqual([
      {
        ref: 'host',
        reads: ['clock'],
        code: 'future',
        reason: expect.stringMatching(/clock is 3600 s ahead of patrold's.*NTP/),
      },
    ]);
    expect(engine.asked.find((path) => path.includes('/events'))).toContain(
      `until=${Date.parse('2026-03-01T13:00:00Z') / 1_000}`,
    );
  });
});
