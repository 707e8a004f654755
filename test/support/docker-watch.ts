/** Surveys of one engine, one after the other, as a daemon makes them: with a memory, on a clock that a test moves. */
import { createRealDockerApi } from '../../src/sources/docker/real-docker-api.ts';
import { type SurveyDockerDeps, surveyDocker } from '../../src/sources/docker/survey-docker.ts';
import type { Sighting } from '../../src/sources/source.ts';
import { createFakeClock, type FakeClock } from './fake-clock.ts';
import { createMemoryState } from './memory-state.ts';

export const WATCH_BEGINS_MS = Date.parse('2026-03-01T12:00:00Z');

export interface DockerWatch {
  readonly clock: FakeClock;
  readonly state: ReturnType<typeof createMemoryState>;
  survey(deps?: Partial<SurveyDockerDeps>): Promise<Sighting>;
}

/** Surveys the engine at a socket, each time with the memory of the last one. Nothing waits for real. */
export const watchDocker = (socketPath: string, requestMs?: number): DockerWatch => {
  const clock = createFakeClock(WATCH_BEGINS_MS);
  const state = createMemoryState();
  return {
    clock,
    state,
    survey: async (deps = {}) => {
      const config = { socket: socketPath, ignore: [] };
      const real = createRealDockerApi(config, clock, requestMs === undefined ? {} : { totalMs: requestMs });
      const api = { ...real, pause: (ms: number) => clock.advance(ms) };
      try {
        return await surveyDocker(
          {
            api,
            clock,
            state,
            locality: { machineId: 'm1', kernelRelease: null },
            ignore: [],
            timeoutMs: 60_000,
            ...deps,
          },
          { signal: new AbortController().signal },
        );
      } finally {
        real.close();
      }
    },
  };
};

/** Readings of one container. */
export const readingsOf = (sighting: Sighting, ref: string) =>
  sighting.readings.filter((reading) => reading.ref === ref);
export const kindsOf = (sighting: Sighting, ref: string) => readingsOf(sighting, ref).map(({ kind }) => kind);
/** Without those that only tell that something is not due. */
export const gapsOf = (sighting: Sighting) =>
  sighting.gaps
    .filter(({ code }) => code !== 'not_due')
    .map(({ ref, reads, code, reason }) => ({ ref, reads, code, reason }));
export const namesOf = (sighting: Sighting) => sighting.claims.map(({ name }) => name);
