/** Memory that is truly unavailable, above the limit for long. */
import { defineDetector, type Judgement, unobserved } from '../detector.ts';
import { formatBytes, formatDuration } from '../format.ts';
import { metrics } from '../history.ts';
import { judgeLevel } from '../level.ts';
import { newest } from '../newest.ts';
import type { MemoryReading } from '../reading.ts';
import { skipStoppedGuest } from '../scope.ts';
import { OBSERVED_AT_LEAST, sustained, warmingUp } from '../window.ts';

const KINDS = ['host', 'node', 'vm', 'container'] as const;

const figures = ({ unavailableBytes, totalBytes, reclaimableArcBytes }: MemoryReading): readonly string[] => [
  `${formatBytes(unavailableBytes)} of ${formatBytes(totalBytes)} now`,
  ...(reclaimableArcBytes !== null && reclaimableArcBytes > 0
    ? [`${formatBytes(reclaimableArcBytes)} of ZFS cache could be given back and are not counted`]
    : []),
];

export const highMemory = defineDetector({
  type: 'high_memory',
  title: 'Memory is nearly used up',
  category: 'performance',
  kinds: KINDS,
  reads: ['memory'],
  sources: 'each',
  limits: {
    memory: {
      metric: 'memory',
      kinds: KINDS,
      unit: 'percent',
      direction: 'above',
      warning: 80,
      critical: null,
      clearBy: 5,
      forMs: 15 * 60_000,
      because:
        'the product default of 80 %; a warning only, since what comes after it (swapping, OOM kills) is seen by itself',
    },
  },
  explain:
    "The time-weighted mean over the window of memory that nobody could be given: page cache and reclaimable slab don't count as used, and of ZFS's cache only the part that it will not give back. Where a source's figure may include a guest's cache, a low figure is proof and a high one proves nothing: then it is unobserved, until something inside the guest reports.",
  skip: skipStoppedGuest,
  detect: ({ readings, limits, history, before, nowMs }): Judgement => {
    const reading = newest(readings);
    if (reading === undefined) return unobserved('no_reading', 'no memory reading');
    const { memory: limit } = limits;
    const ratio = reading.unavailableBytes / reading.totalBytes;
    const past = sustained(reading, ratio, history.samples(metrics.memory), limit.forMs);
    if (past === null || past.observedRatio < OBSERVED_AT_LEAST)
      return warmingUp(past?.observedRatio ?? 0, limit.forMs, nowMs);
    const over = formatDuration(limit.forMs);
    const judgement = judgeLevel({
      limit,
      value: past.mean * 100,
      before: before(null),
      evidence: [reading.id],
      what: (value) => `${value} of memory unavailable over ${over}`,
      also: () => figures(reading),
      clears: `the mean over ${over}`,
    });
    if (judgement.state !== 'raised' || reading.excludesCache) return judgement;
    return unobserved(
      'not_supported',
      'the figure is high, but may include cache that the guest would give back: nothing inside the guest reports',
    );
  },
});
