/** Samples brought to a few rows: each as it is where there are few, else means of equal stretches, empty ones said. */
import type { Sample } from '../../../signals/history.ts';

export interface Bucket {
  readonly fromMs: number;
  readonly untilMs: number;
  readonly samples: number;
  /** Null: nothing was observed in it. */
  readonly values: { readonly mean: number; readonly least: number; readonly most: number } | null;
}

export const BUCKETS = 24;

export interface Spread {
  readonly first: Sample;
  readonly last: Sample;
  readonly mean: number;
  readonly least: number;
  readonly most: number;
}

/** Null: there are none. */
export const spreadOf = (samples: readonly Sample[]): Spread | null => {
  const [first] = samples;
  const last = samples.at(-1);
  if (first === undefined || last === undefined) return null;
  let sum = 0;
  let least = first.value;
  let most = first.value;
  for (const { value } of samples) {
    sum += value;
    least = Math.min(least, value);
    most = Math.max(most, value);
  }
  return { first, last, mean: sum / samples.length, least, most };
};

/** Oldest first; `samples` are oldest first too and lie in the window. */
export const bucketsOf = (samples: readonly Sample[], fromMs: number, untilMs: number): readonly Bucket[] => {
  const widthMs = (untilMs - fromMs) / BUCKETS;
  const placed = Map.groupBy(samples, ({ atMs }) => Math.min(BUCKETS - 1, Math.floor((atMs - fromMs) / widthMs)));
  return Array.from({ length: BUCKETS }, (_, index) => {
    const own = placed.get(index) ?? [];
    return {
      fromMs: fromMs + index * widthMs,
      untilMs: fromMs + (index + 1) * widthMs,
      samples: own.length,
      values: spreadOf(own),
    };
  });
};
