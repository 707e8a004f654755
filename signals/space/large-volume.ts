/** On a large volume a percentage says little: what else must hold before it counts (DETECTORS.md rule 4). */
import type { VerdictMemory } from '../detector.ts';
import { formatBytes, formatDuration } from '../format.ts';
import type { ResourceHistory } from '../history.ts';
import type { LevelSeverity } from '../hysteresis.ts';
import { type Bound, type EffectiveLimit, isWritten } from '../limit.ts';
import type { Resource } from '../resource.ts';
import { type FillingAnswer, fillingOf, GIB, type SpaceReading } from './space.ts';
import { TREND_AT_LEAST_MS } from './trend.ts';

const HOUR_MS = 3_600_000;

const LARGE_BYTES = 400 * GIB;

/** What a large volume must show beside the percentage: little left, or little time. `held` is the band. */
interface Scarce {
  readonly freeBytes: number;
  readonly freeHeldBytes: number;
  readonly hours: number;
  readonly hoursHeld: number;
}

const SCARCE: Readonly<Record<LevelSeverity, Scarce>> = {
  warning: { freeBytes: 100 * GIB, freeHeldBytes: 110 * GIB, hours: 30 * 24, hoursHeld: 33 * 24 },
  critical: { freeBytes: 25 * GIB, freeHeldBytes: 28 * GIB, hours: 3 * 24, hoursHeld: 4 * 24 },
};

/** What stops, or slows down, well before it is full: the percentage is what counts there. */
const POOLED: ReadonlySet<string> = new Set(['zfs', 'ceph', 'fuse.ceph', 'zfspool', 'lvmthin', 'rbd', 'cephfs', 'pbs']);

const isPooled = ({ kind, facts }: Resource): boolean =>
  kind === 'pool' ||
  kind === 'datastore' ||
  [facts['fsType'], facts['storageType']].some((type) => typeof type === 'string' && POOLED.has(type));

export interface Volume {
  readonly resource: Resource;
  readonly reading: SpaceReading;
  readonly history: ResourceHistory;
  readonly before: VerdictMemory | null;
}

/** `unknown`: samples are too few to tell whether it fills. */
export type Allowed =
  | { readonly severity: LevelSeverity | null }
  | { readonly severity: 'unknown'; readonly reason: string; readonly retryAtMs: number };

const isRelaxed = ({ resource, reading }: Volume, bound: Bound | null): boolean =>
  bound !== null && !isWritten(bound.origin) && reading.sizeBytes > LARGE_BYTES && !isPooled(resource);

/** Whether little is left, or little time; or why that can't be told yet. */
const scarcity = ({ reading, history, before }: Volume, severity: LevelSeverity): boolean | FillingAnswer => {
  const scarce = SCARCE[severity];
  const held = before?.severity === 'critical' || before?.severity === severity;
  if (reading.availableBytes < (held ? scarce.freeHeldBytes : scarce.freeBytes)) return true;
  const withinHours = held ? scarce.hoursHeld : scarce.hours;
  const answer = fillingOf({ reading, history, withinHours, spansAhead: 2 });
  return answer.state === 'unknown' ? answer : answer.state === 'filling' && answer.filling.hours < withinHours;
};

/** The severity that the percentage reached, as far as the rest allows it. */
export const allowedSeverity = (volume: Volume, limit: EffectiveLimit, reached: LevelSeverity): Allowed => {
  if (reached === 'critical') {
    if (!isRelaxed(volume, limit.critical)) return { severity: 'critical' };
    // Where it is not known to fill, the critical percentage is a warning at least.
    return { severity: scarcity(volume, 'critical') === true ? 'critical' : 'warning' };
  }
  if (!isRelaxed(volume, limit.warning)) return { severity: 'warning' };
  const scarce = scarcity(volume, 'warning');
  if (typeof scarce === 'boolean') return { severity: scarce ? 'warning' : null };
  const observedMs = scarce.state === 'unknown' ? scarce.observedMs : 0;
  const { availableBytes, takenAtMs } = volume.reading;
  return {
    severity: 'unknown',
    reason: `past the limit with ${formatBytes(availableBytes)} left on a large volume; whether it fills takes a day to tell, ${formatDuration(observedMs)} of it observed`,
    retryAtMs: takenAtMs + TREND_AT_LEAST_MS - observedMs,
  };
};

/** What else would clear it, for people. */
export const clearsAlso = (volume: Volume, limit: EffectiveLimit): string => {
  if (!isRelaxed(volume, limit.warning)) return '';
  const { freeHeldBytes, hoursHeld } = SCARCE.warning;
  return `, or, below the critical limit, ${formatBytes(freeHeldBytes)} or more are left and it does not fill up within ${formatDuration(hoursHeld * HOUR_MS)}`;
};
