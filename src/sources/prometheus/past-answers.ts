/** Answers about the past, kept for an hour: trends change slowly, and asking for them is the dearest part. */
import type { Answer } from './answer.ts';
import { prometheusLimits } from './prometheus-limits.ts';

export interface PastAnswers {
  /** Null: not kept, or too old, or from the future of a clock that was set back. */
  get(name: string, atMs: number): Answer | null;
  /** An answer that is not whole is not kept. */
  put(name: string, answer: Answer, atMs: number): void;
}

export const createPastAnswers = (): PastAnswers => {
  const kept = new Map<string, { readonly answer: Answer; readonly askedAtMs: number }>();
  return {
    get: (name, atMs) => {
      const entry = kept.get(name);
      if (entry === undefined) return null;
      const ageMs = atMs - entry.askedAtMs;
      return ageMs >= 0 && ageMs < prometheusLimits.pastPaceMs ? entry.answer : null;
    },
    put: (name, answer, atMs) => {
      if (answer.incomplete === null) kept.set(name, { answer, askedAtMs: atMs });
    },
  };
};
