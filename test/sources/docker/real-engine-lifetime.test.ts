/** A real engine that stops, hangs, comes back, forgets; and that is written down and played back. */
import { chmodSync } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { systemClock } from '../../../src/runtime/clock.ts';
import type { DockerApi } from '../../../src/sources/docker/docker-api.ts';
import { createRealDockerApi } from '../../../src/sources/docker/real-docker-api.ts';
import { recordedAnswersSchema } from '../../../src/sources/docker/recorded-answer.ts';
import { createRecordedDockerApi } from '../../../src/sources/docker/recorded-docker-api.ts';
import { surveyDocker } from '../../../src/sources/docker/survey-docker.ts';
import type { Sighting } from '../../../src/sources/source.ts';
import { recordDocker } from '../../support/docker-recorder.ts';
import { readingsOf } from '../../support/docker-watch.ts';
import { createFakeClock } from '../../support/fake-clock.ts';
import { createMemoryState } from '../../support/memory-state.ts';
import { type RealDocker, startRealDocker, whyNoRealDocker } from '../../support/real-docker.ts';

const missing = whyNoRealDocker();
const MIB = 2 ** 20;
const NOBODY = 65_534;

let docker: RealDocker;

const surveyWith = (api: DockerApi, state = createMemoryState(), clock = systemClock): Promise<Sighting> =>
  surveyDocker(
    { api, clock, state, locality: { machineId: 'm1', kernelRelease: null }, ignore: [], timeoutMs: 30_000 },
    { signal: AbortSignal.timeout(20_000) },
  );

const survey = async (state = createMemoryState()): Promise<Sighting> => {
  const api = createRealDockerApi({ socket: docker.socketPath, ignore: [] }, systemClock, { totalMs: 1_000 });
  try {
    return await surveyWith(api, state);
  } finally {
    api.close();
  }
};

const refused = (message: RegExp) => ({ code: 'source_not_answering', message: expect.stringMatching(message) });

describe.skipIf(missing !== null)(
  `the life of a real engine${missing === null ? '' : ` (skipped: ${missing})`}`,
  () => {
    beforeAll(async () => {
      docker = await startRealDocker();
    });
    afterEach(() => docker.removeAll());
    afterAll(() => docker?.close());

    it('fails with the reason while the engine hangs, and goes on when it is back', async () => {
      docker.freeze();
      try {
        await expect(survey()).rejects.toMatchObject(refused(/did not .* within totalMs = 1000 ms/));
      } finally {
        docker.thaw();
      }
      expect((await survey()).gaps).toEqual([]);
    });

    it('fails with the remedy where the socket may not be opened', async () => {
      chmodSync(docker.socketPath, 0o600);
      process.seteuid?.(NOBODY);
      try {
        await expect(survey()).rejects.toMatchObject(
          refused(/^patrold may not open .*add its user to the socket's group/),
        );
      } finally {
        process.seteuid?.(0);
      }
    });

    it('fails with the remedy while the engine is stopped, and knows afterwards what it can not know', async () => {
      const state = createMemoryState();
      const id = await docker.run({
        name: 'worker',
        command: ['sh', '-c', 'trap "exit 7" TERM; while true; do sleep 0.1; done'],
      });
      await wait(300);
      await survey(state);
      await docker.stopEngine();
      await expect(survey(state)).rejects.toMatchObject(refused(/^(there is no socket|nothing listens at) .*running/));
      await docker.startEngine();
      // It ended with the engine, with a code like that of a fault, and the new engine has no event of it.
      const [reading] = readingsOf(await survey(state), id);
      expect(reading).toMatchObject({ kind: 'container', state: 'exited', exitCode: 7, stopRequestedAtMs: null });
      if (reading?.kind !== 'container') throw new Error('no reading');
      expect(reading.stopsKnownSinceMs).toBeGreaterThan(reading.finishedAtMs ?? Number.POSITIVE_INFINITY);
    });

    it('answers the same from a recording, also at another time', async () => {
      const eat = ['sh', '-c', 'x=aaaaaaaaaaaaaaaa; while true; do x=$x$x; done'];
      await docker.run({ name: 'oom', command: eat, memoryBytes: 16 * MIB });
      await docker.run({
        name: 'steady',
        command: ['sleep', '1000'],
        memoryBytes: 64 * MIB,
        health: { command: 'echo well' },
      });
      await docker.run({ name: 'halted', command: ['sleep', '1000'] });
      await docker.stop('halted');
      await docker.waitFor('steady', ({ State }) => State.Health?.Status === 'healthy');
      await docker.waitFor('oom', ({ State }) => State.OOMKilled);
      const real = createRealDockerApi({ socket: docker.socketPath, ignore: [] }, systemClock);
      const recorder = recordDocker(real);
      const beganAtMs = Date.now();
      const seen = await surveyWith(recorder.api);
      real.close();

      const answers = recordedAnswersSchema.parse(JSON.parse(JSON.stringify(recorder.recorded())));
      const dayMs = 86_400_000;
      const play = (movedByMs: number): Promise<Sighting> =>
        surveyWith(
          createRecordedDockerApi({ answers, recordedAtMs: beganAtMs, nowMs: () => beganAtMs + movedByMs }),
          createMemoryState(),
          createFakeClock(beganAtMs + movedByMs),
        );
      const played = await play(0);
      expect(played.claims).toEqual(seen.claims);
      expect(timeless(played)).toEqual(timeless(seen));
      const moved = await play(dayMs);
      expect(timeless(moved)).toEqual(timeless(seen));
      const starts = (sighting: Sighting) =>
        sighting.readings.map((each) => (each.kind === 'container' ? each.startedAtMs : null));
      expect(starts(moved)).toEqual(starts(seen).map((ms) => (ms === null ? null : ms + dayMs)));
    });
  },
);

/** Readings without what is by a clock. */
const timeless = (sighting: Sighting): unknown =>
  sighting.readings.map((reading) =>
    Object.fromEntries(
      Object.entries(reading).map(([key, value]) => [
        key,
        /Ms$/.test(key) && key !== 'windowMs' ? value !== null : value,
      ]),
    ),
  );
