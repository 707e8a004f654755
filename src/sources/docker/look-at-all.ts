/** Every chosen container, a few at once, within the survey's time. */
import pLimit from 'p-limit';
import type { Clock } from '../../runtime/clock.ts';
import type { EngineQuestions } from './ask-engine.ts';
import type { NamedContainer } from './choose-containers.ts';
import { cpuCount } from './container-use.ts';
import { type CpuCount, isComparable } from './cpu-use.ts';
import { dockerLimits } from './docker-limits.ts';
import type { DockerMemory } from './docker-memory.ts';
import type { Engine } from './engine.ts';
import { type CountersRead, type Look, lookAtContainer, readCounters } from './look-at-container.ts';
import { failed } from './read-failure.ts';
import { stillHolds } from './settled.ts';

export interface LookAllDeps {
  readonly ask: EngineQuestions;
  readonly engine: Engine;
  readonly clock: Clock;
  /** Monotonic; nothing more is asked after it. */
  readonly deadlineMs: number;
}

const tooLate = (): ReturnType<typeof failed<never>> =>
  failed(
    'cut_short',
    'not looked at: the time for the survey was nearly used up (raise the source’s timeout, or ignore containers)',
  );

export const lookAtAll = async (
  deps: LookAllDeps,
  containers: readonly NamedContainer[],
  memory: DockerMemory,
): Promise<readonly Look[]> => {
  const { ask, engine, clock, deadlineMs } = deps;
  const nowMs = (): number => clock.nowMs();
  const limit = pLimit(dockerLimits.concurrentReads);
  return limit.map(containers, async (container): Promise<Look> => {
    const known = stillHolds(
      memory.inspections[container.listed.Id],
      container.listed,
      nowMs() + engine.clockOffset.ms,
    );
    if (known === null && clock.monotonicMs() >= deadlineMs) {
      return { container, inspected: tooLate(), counters: null, atMs: nowMs() };
    }
    return lookAtContainer({ ask, engine, nowMs }, container, known);
  });
};

/** Between two counts of a container that has none from an earlier survey: long enough for a counter of 10 ms steps. */
const RECOUNT_AFTER_MS = 1_000;

/** By container id: what its counters said a second later, for those whose earlier count can't be compared. */
export const countAgain = async (
  deps: LookAllDeps,
  looks: readonly Look[],
  before: Readonly<Record<string, CpuCount>>,
): Promise<ReadonlyMap<string, CountersRead>> => {
  const { ask, engine, clock, deadlineMs } = deps;
  const ids = looks.filter((look) => needsRecount(look, before)).map(({ container }) => container.listed.Id);
  if (ids.length === 0 || clock.monotonicMs() >= deadlineMs) return new Map();
  await ask.pause(RECOUNT_AFTER_MS);
  const limit = pLimit(dockerLimits.concurrentReads);
  const nowMs = (): number => clock.nowMs();
  const again = await limit.map(
    ids,
    async (id): Promise<[string, CountersRead] | null> =>
      clock.monotonicMs() >= deadlineMs ? null : [id, await readCounters({ ask, engine, nowMs }, id)],
  );
  return new Map(again.filter((entry) => entry !== null));
};

const needsRecount = (
  { container, inspected, counters }: Look,
  before: Readonly<Record<string, CpuCount>>,
): boolean => {
  if (inspected === 'gone' || !inspected.ok || counters === null || counters === 'stopped' || !counters.ok)
    return false;
  return !isComparable(before[container.listed.Id], cpuCount(counters.value, inspected.value));
};
