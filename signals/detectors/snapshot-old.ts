/** Snapshots that were forgotten: they grow, and slow down what they hang on. */
import { clear, defineDetector, type Judgement, unobserved } from '../detector.ts';
import { formatDuration } from '../format.ts';
import { settled } from '../lasting.ts';
import { judgeLevel } from '../level.ts';
import { newest } from '../newest.ts';

const KINDS = ['vm', 'container'] as const;
const DAY_MS = 86_400_000;

/** Others that are named in a summary. */
const NAMED = 3;

export const snapshotOld = defineDetector({
  type: 'snapshot_old',
  title: 'Snapshot is old',
  category: 'capacity',
  kinds: KINDS,
  reads: ['snapshots'],
  sources: 'each',
  limits: {
    snapshotAge: {
      metric: 'snapshotAge',
      kinds: KINDS,
      unit: 'days',
      direction: 'above',
      warning: 30,
      critical: null,
      clearBy: 0,
      forMs: 0,
      because: 'a snapshot is for the time of a change; kept for a month it was forgotten, and no backup either',
    },
  },
  explain:
    'The age of the oldest snapshot of a guest, by its own date. The present state (`current`) is none. A snapshot holds on to every block that has changed since, and is lost with the disk it stands on.',
  detect: ({ resource, readings, limits, before, nowMs }): Judgement => {
    const reading = newest(readings);
    if (reading === undefined) return unobserved('no_reading', 'no list of snapshots');
    const byAge = reading.snapshots.toSorted((a, b) => a.createdAtMs - b.createdAtMs);
    const [oldest] = byAge;
    if (oldest === undefined) return clear();
    const limit = limits.snapshotAge;
    const trigger = limit.warning?.trigger ?? Number.POSITIVE_INFINITY;
    const others = byAge.slice(1).filter(({ createdAtMs }) => (nowMs - createdAtMs) / DAY_MS >= trigger);
    const named = others.slice(0, NAMED).map(({ name }) => name);
    const judgement = judgeLevel({
      limit,
      value: Math.max(0, nowMs - oldest.createdAtMs) / DAY_MS,
      before: before(null),
      evidence: [reading.id],
      what: () => `snapshot ${oldest.name} of ${resource.name} is ${formatDuration(nowMs - oldest.createdAtMs)} old`,
      also: () =>
        others.length === 0
          ? []
          : [`${others.length} more as old: ${named.join(', ')}${others.length > NAMED ? ', …' : ''}`],
      clears: 'the age of the oldest snapshot',
      sinceMs: Math.min(nowMs, oldest.createdAtMs + trigger * DAY_MS),
    });
    return settled(judgement, limit, before(null), nowMs);
  },
});
