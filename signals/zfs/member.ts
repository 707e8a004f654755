/** Error counters of one member of a ZFS pool, judged by their rise. */
import { riseOf } from '../counter.ts';
import type { DetectorInput, Judgement } from '../detector.ts';
import { formatDuration } from '../format.ts';
import { metrics } from '../history.ts';
import { judgeLevel } from '../level.ts';
import type { EffectiveLimit } from '../limit.ts';
import type { ReadingOf, ZfsMember } from '../reading.ts';

/** A rise counts for a week: a weekly scrub shows it again, if it is still there. */
export const ERRORS_WITHIN_MS = 7 * 86_400_000;

export const judgeMember = (
  { history, before, nowMs }: DetectorInput<'zfs_pool', string>,
  limit: EffectiveLimit,
  reading: ReadingOf<'zfs_pool'>,
  { name, readErrors, writeErrors, checksumErrors }: ZfsMember,
): Judgement => {
  const samples = history.samples(metrics.zfsMemberErrors(name));
  const count = readErrors + writeErrors + checksumErrors;
  const { takenAtMs } = reading;
  const rise = riseOf({ kind: 'counter', count, takenAtMs, samples, withinMs: ERRORS_WITHIN_MS });
  const within = formatDuration(ERRORS_WITHIN_MS);
  return judgeLevel({
    limit,
    value: rise.by,
    before: before(name),
    subject: name,
    evidence: [reading.id],
    what: (value) => `${name}: ${value} new errors within ${within}`,
    also: () => [
      `now ${readErrors} read, ${writeErrors} write, ${checksumErrors} checksum`,
      ...(rise.lastAtMs === null ? [] : [`the last ones seen ${formatDuration(nowMs - rise.lastAtMs)} ago`]),
    ],
    clears: `the number of new errors within ${within}`,
  });
};
