/** How long ago a ZFS pool was last read through. */
import { clear, type DetectorInput, type Judgement } from '../detector.ts';
import { judgeLevel } from '../level.ts';
import type { EffectiveLimit } from '../limit.ts';
import type { ReadingOf } from '../reading.ts';

const DAY_MS = 86_400_000;

const SUBJECT = 'scrub';

/** The last time that something read the whole pool, or the pool's birth; null: the source does not tell. */
const lastReadThroughAtMs = ({ scan, createdAtMs }: ReadingOf<'zfs_pool'>): number | null =>
  scan?.finishedAtMs ?? scan?.startedAtMs ?? createdAtMs;

/** Null: the source tells nothing about scrubs. */
export const judgeScrub = (
  { before, nowMs }: DetectorInput<'zfs_pool', string>,
  limit: EffectiveLimit,
  reading: ReadingOf<'zfs_pool'>,
): Judgement | null => {
  const lastAtMs = lastReadThroughAtMs(reading);
  if (reading.scan?.state === 'running') return clear(SUBJECT);
  if (lastAtMs === null) return null;
  const { scan } = reading;
  const what =
    scan === null
      ? 'created, and never scrubbed since'
      : scan.kind === 'scrub'
        ? `last scrub ${scan.state}`
        : 'last resilver';
  return judgeLevel({
    limit,
    value: Math.max(0, nowMs - lastAtMs) / DAY_MS,
    before: before(SUBJECT),
    subject: SUBJECT,
    evidence: [reading.id],
    what: (age) => `${what} ${age} ago`,
    clears: 'the age of the last scrub',
  });
};
