/** Faults that must last, or be seen twice, before they count. */
import type { BadStreak, VerdictMemory } from './detector.ts';

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
  const streak = before?.bad ?? null;
  const sinceMs = Math.min(knownSinceMs ?? nowMs, streak?.sinceMs ?? nowMs, nowMs);
  const apart = streak === null || nowMs - streak.lastAtMs >= LOOKS_APART_MS;
  const count = streak === null ? 1 : streak.looks + (apart ? 1 : 0);
  const bad: BadStreak = { sinceMs, lastAtMs: streak === null || apart ? nowMs : streak.lastAtMs, looks: count };
  const raisedBefore = before !== null && before.severity !== null;
  const counts = raisedBefore || (nowMs - sinceMs >= forMs && count >= looks);
  return { counts, bad, retryAtMs: Math.max(sinceMs + forMs, bad.lastAtMs + LOOKS_APART_MS) };
};
