/** How much of its window an averaged reading stands for. */
import type { Averaged } from './reading.ts';

/** What a source observed of a window, as if it were the last part of it. */
export const observedMs = ({ windowMs, observedRatio }: Averaged): number =>
  windowMs === 0 ? 0 : Math.max(1, Math.round(windowMs * Math.min(1, Math.max(0, observedRatio))));
