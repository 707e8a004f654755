/** Space that is nearly used up. */
import { clear, defineDetector, type Judgement, unobserved } from '../detector.ts';
import { formatBytes } from '../format.ts';
import { severityAt } from '../hysteresis.ts';
import { settled } from '../lasting.ts';
import { judgeLevel, tidy } from '../level.ts';
import { newest } from '../newest.ts';
import { type Allowed, allowedSeverity, clearsAlso } from '../space/large-volume.ts';
import { isNeverWritten, skipSpace, usedPercent } from '../space/space.ts';

const KINDS = ['filesystem', 'storage', 'pool', 'datastore'] as const;

export const highDisk = defineDetector({
  type: 'high_disk',
  title: 'Space is running out',
  category: 'capacity',
  kinds: KINDS,
  reads: ['filesystem', 'capacity'],
  sources: 'each',
  limits: {
    usage: {
      metric: 'usage',
      kinds: KINDS,
      unit: 'percent',
      direction: 'above',
      warning: 75,
      critical: 95,
      clearBy: 5,
      forMs: 0,
      because: 'the product defaults of 75 % and 95 %, relaxed on large volumes as the explanation says',
    },
  },
  explain:
    'Use is `used / (used + available)`: what is reserved for root counts as neither. With the default limits a percentage alone is not enough on a volume above 400 GiB: a warning also needs less than 100 GiB left or a trend that fills it within 30 days, a critical finding less than 25 GiB or 3 days; at the critical percentage it is a warning at least. Thin pools, ZFS pools, Ceph and backup datastores are judged by the percentage alone, since they slow down or stop before they are full, and so is every limit that the operator wrote. Images that are full by design (squashfs, ISO) are out of scope, and so is what has never been writable.',
  skip: skipSpace,
  detect: ({ resource, readings, limits, history, before, nowMs }): Judgement | readonly Judgement[] => {
    const reading = newest(readings);
    if (reading === undefined) return unobserved('no_reading', 'no space reading');
    const { usage: limit } = limits;
    const known = before(null);
    const value = tidy(usedPercent(reading));
    const reached = severityAt(limit, value, known);
    if (reached === null && Number.isFinite(value)) return clear();
    // Out of scope, unless it was raised: a filesystem that turns read-only when it fills up is still full.
    if (known === null && isNeverWritten(reading, history)) return [];
    const volume = { resource, reading, history, before: known };
    const allowed: Allowed = reached === null ? { severity: null } : allowedSeverity(volume, limit, reached);
    if (allowed.severity === 'unknown') {
      const { reason, retryAtMs } = allowed;
      return { state: 'unobserved', subject: null, code: 'warming_up', reason, retryAtMs };
    }
    const { severity } = allowed;
    const judgement = judgeLevel({
      limit,
      value,
      before: known,
      evidence: [reading.id],
      what: (used) => `${used} used`,
      also: () => [`${formatBytes(reading.availableBytes)} of ${formatBytes(reading.sizeBytes)} left`],
      clears: 'use',
      cap: () => severity,
    });
    if (judgement.state !== 'raised') return judgement;
    const clearsWhen = `${judgement.clearsWhen}${clearsAlso(volume, limit)}`;
    return settled({ ...judgement, clearsWhen }, limit, known, nowMs);
  },
});
