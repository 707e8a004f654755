/** Whether a look was whole: only then does a subject that it does not hold count as absent, not as unseen. */
import type { Judgement, UnobservedCode } from './detector.ts';
import type { ReadingKind } from './reading.ts';

export interface Blindness {
  readonly code: UnobservedCode;
  readonly reason: string;
}

interface GapOfResource {
  readonly reads: readonly ReadingKind[];
  readonly code: UnobservedCode | 'not_due';
  readonly reason: string;
}

export interface Look {
  /** What the detector reads. */
  readonly reads: readonly ReadingKind[];
  /** Why readings of the resource are missing. */
  readonly gaps: readonly GapOfResource[];
  /** Readings that were too old, or from the future, to be judged. */
  readonly unfresh: number;
  readonly judgements: readonly Judgement[];
}

/** Null: the look was whole. */
export const whyBlind = ({ reads, gaps, unfresh, judgements }: Look): Blindness | null => {
  for (const gap of gaps) {
    if (gap.code === 'not_due') continue;
    if (gap.reads.length === 0 || gap.reads.some((kind) => reads.includes(kind)))
      return { code: gap.code, reason: gap.reason };
  }
  if (unfresh > 0) return { code: 'stale', reason: 'a reading of the resource is too old, and nothing newer came' };
  for (const judgement of judgements) {
    if (judgement.state === 'unobserved' && judgement.subject === null)
      return { code: judgement.code, reason: judgement.reason };
  }
  return null;
};
