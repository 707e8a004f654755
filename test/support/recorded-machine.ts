/** Surveys of recorded machines in scenarios/base. */
import { fileURLToPath } from 'node:url';
import { hostConfigSchema } from '../../src/sources/host/config.ts';
import { createRecordedHostSource } from '../../src/sources/host/recorded-host.ts';
import type { Sighting, Source, SourceState, SurveyRequest } from '../../src/sources/source.ts';
import { createFakeClock, type FakeClock } from './fake-clock.ts';
import { createMemoryState } from './memory-state.ts';
import { sourceDeps, surveyRequest } from './source-deps.ts';

export const RECORDED_AT_MS = Date.UTC(2025, 10, 11, 9, 0, 0);

export interface RecordedMachine {
  readonly clock: FakeClock;
  readonly state: SourceState;
  readonly source: Source;
  survey(request?: Partial<SurveyRequest>): Promise<Sighting>;
}

export const machineDirectory = (name: string): string =>
  fileURLToPath(new URL(`../../scenarios/base/${name}`, import.meta.url));

const REAL_STEP_MS = 5;
/** Ten times as fast as it does; after half a second, when files have long been read, much faster. */
const STEP_MS = 50;
const FAST_AFTER_STEPS = 100;
const FAST_STEP_MS = 500;

/** Lets time pass until the work is done. */
export const whileTimePasses = async <T>(clock: FakeClock, work: Promise<T>): Promise<T> => {
  let isDone = false;
  const done = (): void => {
    isDone = true;
  };
  work.then(done, done);
  for (let steps = 0; !isDone; steps += 1) {
    await new Promise((resolve) => setTimeout(resolve, REAL_STEP_MS));
    await clock.advance(steps < FAST_AFTER_STEPS ? STEP_MS : FAST_STEP_MS);
  }
  return work;
};

export const recordedMachine = (name: string, config: Readonly<Record<string, unknown>> = {}): RecordedMachine => {
  const clock = createFakeClock(RECORDED_AT_MS);
  const state = createMemoryState();
  const source = createRecordedHostSource({
    ...sourceDeps({ clock, state }),
    id: 'this-host',
    directory: machineDirectory(name),
    recordedAtMs: RECORDED_AT_MS,
    config: hostConfigSchema.parse(config),
  });
  const survey = (request: Partial<SurveyRequest> = {}) =>
    whileTimePasses(clock, source.survey(surveyRequest({ lastSurveyAtMs: clock.nowMs() - 300_000, ...request })));
  return { clock, state, source, survey };
};
