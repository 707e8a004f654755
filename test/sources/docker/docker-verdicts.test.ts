/** From what an engine says to the verdicts: stories of scripted engines, and the same faults on a real one. */
import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { systemClock } from '../../../src/runtime/clock.ts';
import { createRealDockerApi } from '../../../src/sources/docker/real-docker-api.ts';
import { surveyDocker } from '../../../src/sources/docker/survey-docker.ts';
import { watchDocker } from '../../support/docker-watch.ts';
import { createJudge } from '../../support/judge-sighting.ts';
import { createMemoryState } from '../../support/memory-state.ts';
import { type RealDocker, startRealDocker, whyNoRealDocker } from '../../support/real-docker.ts';
import {
  containerId,
  eventAnswer,
  inspectedAnswer,
  lines,
  plain,
  startScriptedEngine,
  statsAnswer,
} from '../../support/scripted-engine.ts';

const MINUTE_MS = 60_000;
const MIB = 2 ** 20;

type States = Readonly<Record<string, string>>;

/** What is said of one container, without its name. */
const about = (states: States, name: string): States =>
  Object.fromEntries(
    Object.entries(states)
      .filter(([key]) => key.startsWith(`${name} container_`))
      .map(([key, state]) => [key.slice(name.length + 1), state]),
  );

const WELL = { container_exited: 'clear', container_restarting: 'clear' };

describe('a scripted engine, judged', () => {
  const daemon = async () => {
    const engine = await startScriptedEngine({ 1: 'web', 2: 'db' });
    const watching = watchDocker(engine.socketPath);
    const judge = createJudge();
    let lastMs: number | null = null;
    return {
      engine,
      nowText: (agoMs = 0) => new Date(watching.clock.nowMs() - agoMs).toISOString(),
      look: async (waitMs = 5 * MINUTE_MS): Promise<States> => {
        await watching.clock.advance(waitMs);
        const sighting = await watching.survey();
        const { states } = judge.judge(sighting, watching.clock.nowMs(), lastMs);
        lastMs = watching.clock.nowMs();
        return states;
      },
      inspect: (state: object, host: object = {}, more: object = {}) =>
        engine.script(`/containers/${containerId(1)}/json`, inspectedAnswer(1, { ...state }, { ...host }, { ...more })),
    };
  };

  it('finds nothing wrong with containers that run', async () => {
    const { look } = await daemon();
    const states = await look();
    expect(about(states, 'web')).toEqual(WELL);
    expect(about(states, 'db')).toEqual(WELL);
  });

  it('follows an unhealthy container until its check succeeds again', async () => {
    const { look, inspect, nowText } = await daemon();
    const health = (Status: string, FailingStreak: number, log: readonly object[] = []) =>
      inspect({ Health: { Status, FailingStreak, Log: log } });
    health('healthy', 0);
    expect(about(await look(), 'web')).toMatchObject({ container_unhealthy: 'clear' });
    const probe = { Start: nowText(), End: nowText(), ExitCode: 1, Output: 'refused' };
    health('unhealthy', 3, [probe, probe, probe]);
    expect(about(await look(MINUTE_MS), 'web')).toMatchObject({ container_unhealthy: 'unobserved:confirming' });
    const states = await look();
    expect(about(states, 'web')).toMatchObject({ container_unhealthy: 'raised:warning' });
    expect(about(states, 'db')).toEqual(WELL);
    health('starting', 0);
    expect(about(await look(), 'web')).toMatchObject({ container_unhealthy: 'unobserved:confirming' });
    health('healthy', 0);
    expect(about(await look(), 'web')).toMatchObject({ container_unhealthy: 'clear' });
  });

  it('follows a restart loop until half an hour after its end', async () => {
    const { look, inspect, nowText } = await daemon();
    const restarted = (RestartCount: number, agoMs: number) =>
      inspect({ StartedAt: nowText(agoMs) }, {}, { RestartCount });
    restarted(0, 1000);
    await look();
    restarted(4, 0);
    expect(about(await look(), 'web')).toMatchObject({ container_restarting: 'raised:warning' });
    for (let count = 8; count <= 32; count += 4) {
      restarted(count, 0);
      await look();
    }
    restarted(36, 0);
    expect(about(await look(), 'web')).toMatchObject({ container_restarting: 'raised:critical' });
    // Started at the last look: quiet from there on.
    expect(about(await look(20 * MINUTE_MS), 'web')).toMatchObject({ container_restarting: 'raised:critical' });
    const states = await look(10 * MINUTE_MS);
    expect(about(states, 'web')).toEqual(WELL);
    expect(about(states, 'db')).toEqual(WELL);
  });

  it('tells a crash from a stop, by the events of the engine', async () => {
    for (const [action, expected] of [
      ['die', 'raised:warning'],
      ['kill', 'clear'],
    ] as const) {
      const { look, inspect, nowText, engine } = await daemon();
      const once = { RestartPolicy: { Name: 'no', MaximumRetryCount: 0 } };
      inspect({}, once);
      await look();
      const events = [
        ...(action === 'kill' ? [eventAnswer(1, 'kill', nowText(-1000), { signal: '15' })] : []),
        eventAnswer(1, 'die', nowText(-2000), { exitCode: '1' }),
      ];
      engine.script('/events', plain(lines(events)));
      inspect({ Status: 'exited', ExitCode: 1, FinishedAt: nowText(-2000) }, once);
      expect(about(await look(), 'web')).toMatchObject({ container_exited: expected });
      inspect({ StartedAt: nowText() }, once);
      expect(about(await look(), 'web')).toEqual(WELL);
    }
  });

  it('calls a container that was down at the first look no fault', async () => {
    const { look, inspect, nowText } = await daemon();
    inspect({ Status: 'exited', ExitCode: 1, FinishedAt: nowText(MINUTE_MS) }, { RestartPolicy: { Name: 'no' } });
    expect(about(await look(), 'web')).toMatchObject({ container_exited: 'clear' });
  });

  it('measures memory against the limit of the container', async () => {
    const { look, inspect, nowText, engine } = await daemon();
    inspect({}, { Memory: 100 * MIB });
    const use = (mib: number) =>
      engine.script(
        `/containers/${containerId(1)}/stats`,
        statsAnswer(nowText(), 1000, { usage: mib * MIB, stats: { inactive_file: 0 } }),
      );
    use(50);
    await look();
    expect(about(await look(), 'web')).toMatchObject({ container_memory: 'clear' });
    use(95);
    await look();
    expect(about(await look(), 'web')).toMatchObject({ container_memory: 'raised:warning' });
    use(99.5);
    await look();
    expect(about(await look(), 'web')).toMatchObject({ container_memory: 'raised:critical' });
    use(80);
    await look();
    expect(about(await look(), 'web')).toMatchObject({ container_memory: 'clear' });
  });

  it('does not judge what the engine would not show, and keeps what was raised', async () => {
    const { look, inspect, engine, nowText } = await daemon();
    inspect({ Status: 'created', ExitCode: 127, Error: 'no such file', StartedAt: '0001-01-01T00:00:00Z' });
    expect(about(await look(), 'web')).toMatchObject({ container_exited: 'raised:warning' });
    engine.script(`/containers/${containerId(1)}/json`, plain('{"message":"broken"}', 500));
    expect(Object.values(about(await look(), 'web')).every((state) => state.startsWith('unobserved'))).toBe(true);
    inspect({ StartedAt: nowText() });
    expect(about(await look(), 'web')).toEqual(WELL);
  });
});

const missing = whyNoRealDocker();

describe.skipIf(missing !== null)(`a real engine, judged${missing === null ? '' : ` (skipped: ${missing})`}`, () => {
  let docker: RealDocker;
  beforeAll(async () => {
    docker = await startRealDocker();
  });
  afterEach(() => docker.removeAll());
  afterAll(() => docker?.close());

  const daemon = () => {
    const judge = createJudge();
    const state = createMemoryState();
    let lastMs: number | null = null;
    const survey = async () => {
      const api = createRealDockerApi({ socket: docker.socketPath, ignore: [] }, systemClock);
      const locality = { machineId: 'm1', kernelRelease: null };
      try {
        return await surveyDocker(
          { api, clock: systemClock, state, locality, ignore: [], timeoutMs: 30_000 },
          { signal: AbortSignal.timeout(20_000) },
        );
      } finally {
        api.close();
      }
    };
    /** `laterMs`: judged as if so much time had passed since. */
    return async (laterMs = 0): Promise<States> => {
      const sighting = await survey();
      const nowMs = systemClock.nowMs() + laterMs;
      const { states } = judge.judge(sighting, nowMs, lastMs);
      lastMs = nowMs;
      return states;
    };
  };
  const forever = ['sleep', '1000'];

  it('finds what has crashed, and clears it when it has run for a minute again', async () => {
    await docker.run({ name: 'crash', command: ['sh', '-c', 'sleep 2; test -e /ok && sleep 1000; exit 3'] });
    await docker.run({ name: 'stopped', command: forever });
    await docker.run({ name: 'neighbour', command: forever });
    const look = daemon();
    expect(about(await look(), 'crash')).toEqual(WELL);
    await docker.stop('stopped', 1);
    await docker.waitFor('crash', ({ State }) => State.Status === 'exited');
    const states = await look();
    expect(about(states, 'crash')).toMatchObject({ container_exited: 'raised:warning' });
    expect(about(states, 'stopped')).toMatchObject({ container_exited: 'clear' });
    expect(about(states, 'neighbour')).toEqual(WELL);
    await docker.start('crash');
    await docker.exec('crash', ['touch', '/ok']);
    expect(about(await look(), 'crash')).toMatchObject({ container_exited: 'unobserved:confirming' });
    expect(about(await look(MINUTE_MS), 'crash')).toMatchObject({ container_exited: 'clear' });
  });

  it('finds what could not be started, and what the engine has given up on', async () => {
    await docker.run({ name: 'typo', command: ['no-such-program'] });
    await docker.run({ name: 'gave-up', command: ['false'], restart: 'on-failure', maxRetries: 2 });
    await docker.waitFor('gave-up', ({ State, RestartCount }) => State.Status === 'exited' && RestartCount === 2);
    const states = await daemon()();
    expect(about(states, 'typo')).toMatchObject({ container_exited: 'raised:warning' });
    expect(about(states, 'gave-up')).toMatchObject({ container_exited: 'raised:warning' });
  });

  it('finds a restart loop, and its quiet neighbour', async () => {
    await docker.run({ name: 'loop', command: ['false'], restart: 'always' });
    await docker.run({ name: 'neighbour', command: forever, restart: 'always' });
    await docker.waitFor('loop', ({ RestartCount }) => RestartCount >= 4);
    const states = await daemon()();
    expect(about(states, 'loop')).toMatchObject({ container_restarting: 'raised:warning' });
    expect(about(states, 'neighbour')).toEqual(WELL);
  });

  it('finds what was killed for lack of memory', async () => {
    const hog = ['sh', '-c', 'sleep 1; head -c 60m /dev/zero | tail'];
    await docker.run({ name: 'hog', command: hog, memoryBytes: 16 * MIB });
    const look = daemon();
    await look();
    await docker.waitFor('hog', ({ State }) => State.Status === 'exited');
    const states = await look();
    expect(about(states, 'hog')).toMatchObject({
      container_memory: 'raised:warning',
      container_exited: 'raised:warning',
    });
  });

  it('finds an unhealthy container, and clears it when its check succeeds', async () => {
    await docker.run({
      name: 'sick',
      command: forever,
      health: { command: 'test -e /tmp/well', intervalMs: 100, retries: 2 },
    });
    await docker.waitFor('sick', ({ State }) => State.Health?.Status === 'unhealthy');
    const look = daemon();
    expect(about(await look(), 'sick')).toMatchObject({ container_unhealthy: 'unobserved:confirming' });
    expect(about(await look(6 * MINUTE_MS), 'sick')).toMatchObject({ container_unhealthy: 'raised:warning' });
    await docker.exec('sick', ['touch', '/tmp/well']);
    await docker.waitFor('sick', ({ State }) => State.Health?.Status === 'healthy');
    await wait(10);
    expect(about(await look(7 * MINUTE_MS), 'sick')).toMatchObject({ container_unhealthy: 'clear' });
  });
});
