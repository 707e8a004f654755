/** An LVM thin pool that fills up: when data or metadata are full, every volume on it stops. */
import { defineDetector, type Judgement, unobserved } from '../detector.ts';
import { settled } from '../lasting.ts';
import { judgeLevel } from '../level.ts';
import type { LimitSpec } from '../limit.ts';
import { newest } from '../newest.ts';

const KINDS = ['pool', 'storage'] as const;

const share = (metric: string, because: string): LimitSpec => ({
  metric,
  kinds: KINDS,
  unit: 'percent',
  direction: 'above',
  warning: 80,
  critical: 90,
  clearBy: 5,
  forMs: 0,
  because,
});

export const thinPoolFull = defineDetector({
  type: 'thin_pool_full',
  title: 'Thin pool is filling up',
  category: 'capacity',
  kinds: KINDS,
  reads: ['thin_pool'],
  sources: 'each',
  limits: {
    data: share(
      'thinData',
      'earlier than for filesystems: at 100 % every volume on it stops, and freeing space inside them does not help at once',
    ),
    metadata: share('thinMetadata', 'full metadata can cost the whole pool, and it needs room itself to be extended'),
  },
  explain:
    'Data and metadata of the pool, each a finding of its own (`thin_pool_full:data`, `thin_pool_full:metadata`), since each is repaired in its own way: discard or extend the one, extend the other. Volumes are promised more than there is, so their own free space says nothing.',
  detect: ({ readings, limits, before, nowMs }): readonly Judgement[] => {
    const reading = newest(readings);
    if (reading === undefined) return [unobserved('no_reading', 'no thin pool reading')];
    const { dataUsedRatio, metadataUsedRatio } = reading;
    const judge = (subject: 'data' | 'metadata', ratio: number): Judgement => {
      const judgement = judgeLevel({
        limit: limits[subject],
        value: ratio * 100,
        before: before(subject),
        subject,
        evidence: [reading.id],
        what: (used) => `${used} of the pool's ${subject === 'data' ? 'space' : 'metadata'} used`,
        clears: 'use',
      });
      return settled(judgement, limits[subject], before(subject), nowMs);
    };
    const metadata =
      metadataUsedRatio === null
        ? unobserved('not_supported', 'the source does not tell how full the metadata is', 'metadata')
        : judge('metadata', metadataUsedRatio);
    return [
      ...(limits.data.off === null ? [judge('data', dataUsedRatio)] : []),
      ...(limits.metadata.off === null ? [metadata] : []),
    ];
  },
});
