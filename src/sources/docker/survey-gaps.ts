/** What a survey of an engine could not see as a whole. Pure. */
import type { ReadingKind } from '../../../signals/reading.ts';
import type { Gap } from '../../../signals/survey.ts';
import type { Choice } from './choose-containers.ts';
import { HOST_REF } from './claims.ts';
import { dockerLimits } from './docker-limits.ts';
import type { Engine } from './engine.ts';
import type { EventLog } from './event-log.ts';
import type { ContainerList } from './list-containers.ts';
import type { Read } from './read-failure.ts';

/** Every kind that the docker source reads. */
export const DOCKER_READS = ['container', 'container_memory', 'cpu'] as const satisfies readonly ReadingKind[];

export const listGaps = (list: ContainerList, choice: Choice): readonly Gap[] => {
  const gaps: Gap[] = [];
  if (list.malformedCount > 0) {
    const reason = `${list.malformedCount} listed containers could not be read: ${list.malformed.join('; ')}`;
    gaps.push({ ref: null, reads: DOCKER_READS, code: 'malformed', reason });
  }
  if (choice.leftOut > 0) {
    const reason = `${choice.leftOut} containers were not looked at: patrold takes ${dockerLimits.containers} of one engine (ignore some by name)`;
    gaps.push({ ref: null, reads: DOCKER_READS, code: 'cut_short', reason });
  }
  return gaps;
};

/** As far as readings from the future are let through; beyond it something is wrong that wants an operator. */
const CLOCK_TOLERANCE_MS = 60_000;

export const clockGaps = ({ clockOffset }: Engine): readonly Gap[] => {
  const seconds = Math.round(Math.abs(clockOffset.ms) / 1_000);
  if (Math.abs(clockOffset.ms) <= CLOCK_TOLERANCE_MS) return [];
  const ahead = clockOffset.ms > 0;
  const reason = `the engine's clock is ${seconds} s ${ahead ? 'ahead of' : 'behind'} patrold's: its times were corrected by that, but set the clocks (NTP)`;
  return [{ ref: HOST_REF, reads: ['clock'], code: ahead ? 'future' : 'stale', reason }];
};

/** The host itself has no container reading: this only tells that stops are unknown, not that states are. */
export const eventGaps = (log: Read<EventLog>): readonly Gap[] => {
  if (!log.ok) {
    const reason = `events could not be read, so a stop on purpose can't be told from a fault: ${log.failure.reason}`;
    return [{ ref: HOST_REF, reads: ['container'], code: log.failure.code, reason }];
  }
  if (log.value.malformed === 0) return [];
  const reason = `${log.value.malformed} events could not be read, so a stop on purpose can't be told from a fault`;
  return [{ ref: HOST_REF, reads: ['container'], code: 'malformed', reason }];
};
