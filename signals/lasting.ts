/** Faults that must last, or be seen twice, before they count. */
import type { BadStreak, Judgement, VerdictMemory } from './detector.ts';
import { formatDuration } from './format.ts';
import type { EffectiveLimit } from './limit.ts';

/** Two looks closer together than this are one look (DETECTORS.md rule 1). */
export const LOOKS_APART_MS = 60_000;

export interface LastingInput {
  readonly nowMs: number;
  readonly before: VerdictMemory | null;
  /** Since when the evidence itself says that it is bad; null: only our own looks can tell. */
  readonly knownSinceMs?: number | null;
  readonly forMs?: number;
  /** 2 where one look may be chance. */
  readonly looks?: 1 | 2;
}

export interface Lasting {
  /** Whether it has lasted: raise. Otherwise it is being confirmed. */
  readonly counts: boolean;
  readonly bad: BadStreak;
  readonly retryAtMs: number;
}

/** Call it when the fault is present now; when it is absent, answer clear and the streak ends by itself. */
export const lasting = ({ nowMs, before, knownSinceMs = null, forMs = 0, looks = 1 }: LastingInput): Lasting => {
  const raisedBefore = before !== null && before.severity !== null;
  const kept = before?.bad ?? null;
  // It began after our last look: in between it was well, and this is another streak.
  const healed = kept !== null && knownSinceMs !== null && knownSinceMs > kept.lastAtMs && knownSinceMs <= nowMs;
  const streak = healed ? null : kept;
  const sinceMs = Math.min(knownSinceMs ?? nowMs, streak?.sinceMs ?? nowMs, nowMs);
  // A streak from the future was written before our clock was set back.
  const lastAtMs = streak === null ? nowMs : Math.min(streak.lastAtMs, nowMs);
  const apart = streak !== null && nowMs - lastAtMs >= LOOKS_APART_MS;
  const bad: BadStreak = {
    sinceMs,
    lastAtMs: apart ? nowMs : lastAtMs,
    looks: streak === null ? 1 : streak.looks + (apart ? 1 : 0),
  };
  const counts = raisedBefore || (nowMs - sinceMs >= forMs && bad.looks >= looks);
  return { counts, bad, retryAtMs: Math.max(sinceMs + forMs, bad.looks >= looks ? 0 : bad.lastAtMs + LOOKS_APART_MS) };
};

/** The answer while a fault that is there has not lasted long enough, or was not seen twice. */
export const confirming = (
  what: string,
  { bad, retryAtMs }: Lasting,
  nowMs: number,
  subject: string | null = null,
): Judgement => ({
  state: 'unobserved',
  subject,
  code: 'confirming',
  reason: `${what}, for ${formatDuration(nowMs - bad.sinceMs)} so far; looked at again before it counts`,
  bad,
  retryAtMs,
});

/** Honours the limit's `for` (0 unless somebody wrote one) for a fault that otherwise counts at once. */
export const settled = (
  judgement: Judgement,
  { forMs }: EffectiveLimit,
  before: VerdictMemory | null,
  nowMs: number,
): Judgement => {
  if (judgement.state !== 'raised' || forMs === 0) return judgement;
  const streak = lasting({ nowMs, before, knownSinceMs: judgement.sinceMs ?? null, forMs });
  if (streak.counts) return { ...judgement, bad: streak.bad };
  return confirming(judgement.summary, streak, nowMs, judgement.subject);
};
