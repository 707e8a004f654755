/** How often something was restarted lately, from a counter that is looked at now and then. */
import type { Sample } from './history.ts';

/** What a counter showed, and when. */
export interface Count {
  readonly atMs: number;
  readonly value: number;
}

export interface RestartsInput {
  /** What it shows now. */
  readonly count: number;
  readonly takenAtMs: number;
  /** Oldest first; kept where the counter changed, and at least daily. */
  readonly samples: readonly Sample[];
  /** When it was last looked at: until then it showed what its last sample says. */
  readonly lastLookAtMs: number | null;
  /** When it stood at 0, where that is known. */
  readonly bornAtMs: number | null;
}

/** Everything that is known of the counter, oldest first, without doubles. */
export const knownCounts = (input: RestartsInput): readonly Count[] => {
  const { count, takenAtMs, samples, lastLookAtMs, bornAtMs } = input;
  const counts: Count[] = samples.filter(({ atMs }) => atMs < takenAtMs).map(({ atMs, value }) => ({ atMs, value }));
  const [first] = counts;
  if (bornAtMs !== null && bornAtMs < (first?.atMs ?? takenAtMs)) counts.unshift({ atMs: bornAtMs, value: 0 });
  const last = counts.at(-1);
  const seenAgain = lastLookAtMs !== null && samples.length > 0 && last !== undefined && lastLookAtMs > last.atMs;
  if (seenAgain && lastLookAtMs < takenAtMs) counts.push({ atMs: lastLookAtMs, value: last.value });
  return [...counts, { atMs: takenAtMs, value: count }];
};

/** A counter that falls was reset: what it shows then is what came since. */
const stepOf = (before: Count, after: Count): number =>
  after.value >= before.value ? after.value - before.value : Math.max(0, after.value);

/**
 * Restarts in the `windowMs` before `untilMs`, as a whole number. Of what came between two looks that lie only partly in
 * the window, a share: nobody knows when it happened. Null: nothing before is known, so that this is the baseline.
 */
export const restartsWithin = (counts: readonly Count[], windowMs: number, untilMs: number): number | null => {
  const fromMs = untilMs - windowMs;
  let restarts = 0;
  let coveredMs = 0;
  for (let index = counts.length - 1; index > 0; index -= 1) {
    const [before, after] = [counts[index - 1], counts[index]];
    if (before === undefined || after === undefined || after.atMs <= fromMs) break;
    const insideMs = Math.min(after.atMs, untilMs) - Math.max(before.atMs, fromMs);
    if (insideMs <= 0) continue;
    coveredMs += insideMs;
    restarts += (stepOf(before, after) * insideMs) / (after.atMs - before.atMs);
  }
  return coveredMs === 0 ? null : Math.round(restarts);
};

/** Since when it has been restarted without a pause of `quietMs`, up to the last count; null: it has not been. */
export const restartingSinceMs = (counts: readonly Count[], quietMs: number): number | null => {
  let sinceMs: number | null = null;
  for (let index = counts.length - 1; index > 0; index -= 1) {
    const [before, after] = [counts[index - 1], counts[index]];
    if (before === undefined || after === undefined) break;
    const restarts = stepOf(before, after);
    const spanMs = after.atMs - before.atMs;
    if (sinceMs === null) {
      if (restarts === 0) {
        if (spanMs > quietMs) return null;
        continue;
      }
    } else if (sinceMs - after.atMs > quietMs) break;
    if (restarts === 0) continue;
    // Of a long step it is only known that it began somewhere in it, unless there were enough to fill it.
    const isFilled = spanMs <= quietMs || spanMs / restarts <= quietMs;
    sinceMs = isFilled ? before.atMs : after.atMs;
    if (!isFilled) break;
  }
  return sinceMs;
};
