/** The newest stretch of a series that has no hole in it. */
import type { Point } from './answer.ts';

/** One missing step is a scrape that failed, not a hole. */
const STEPS_UNTIL_HOLE = 2.5;

/** The points after the last hole, oldest first. */
export const contiguousTail = (points: readonly Point[], stepMs: number): readonly Point[] => {
  for (let index = points.length - 1; index > 0; index -= 1) {
    const [before, after] = [points[index - 1], points[index]];
    if (before !== undefined && after !== undefined && after.atMs - before.atMs > STEPS_UNTIL_HOLE * stepMs)
      return points.slice(index);
  }
  return points;
};

/** Since when the series has held its newest value without a hole; null: it has no points. */
export const heldSinceMs = (points: readonly Point[], stepMs: number): number | null => {
  const tail = contiguousTail(points, stepMs);
  const newest = tail[tail.length - 1];
  if (newest === undefined) return null;
  let sinceMs = newest.atMs;
  for (let index = tail.length - 1; index >= 0 && tail[index]?.value === newest.value; index -= 1)
    sinceMs = tail[index]?.atMs ?? sinceMs;
  return sinceMs;
};
