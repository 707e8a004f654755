/** Means over the newest window of `rrddata`, where a missing key is missing data. Pure. */
import { z } from 'zod';
import { figure } from '../proxmox/answer-fields.ts';
import { proxmoxVeLimits } from './proxmox-ve-limits.ts';

export const rrdPoint = z.looseObject({
  time: z.number(),
  cpu: figure,
  iowait: figure,
  maxcpu: figure,
  /** Guests. */
  mem: figure,
  maxmem: figure,
  /** Nodes. */
  memused: figure,
  memtotal: figure,
  memavailable: figure,
  arcsize: figure,
});
export type RrdPoint = z.infer<typeof rrdPoint>;

/** `hour` holds a point a minute; longer windows need `day`, whose step is 30 minutes before version 9. */
export const timeframeFor = (windowMs: number): 'hour' | 'day' =>
  windowMs <= proxmoxVeLimits.hourlyHistoryMs ? 'hour' : 'day';

export interface WindowOfHistory {
  readonly mean: number;
  readonly observedRatio: number;
  /** The end of the window: the newest point. Epoch milliseconds, by the node's clock. */
  readonly endsAtMs: number;
}

/** The window ends at the newest point that has a value; null: none has. */
export const windowMean = (
  points: readonly RrdPoint[],
  windowMs: number,
  toValue: (point: RrdPoint) => number | undefined,
): WindowOfHistory | null => {
  const known = points
    .flatMap((point) => {
      const value = toValue(point);
      return value === undefined || !Number.isFinite(value) ? [] : [{ atMs: point.time * 1000, value }];
    })
    .sort((a, b) => a.atMs - b.atMs);
  const newest = known.at(-1);
  if (newest === undefined) return null;
  const stepMs = stepOf(points);
  const inside = known.filter(({ atMs }) => atMs > newest.atMs - windowMs);
  const mean = inside.reduce((sum, { value }) => sum + value, 0) / inside.length;
  return { mean, observedRatio: Math.min(1, (inside.length * stepMs) / windowMs), endsAtMs: newest.atMs };
};

/** The shortest distance between two points: gaps only make distances longer. */
const stepOf = (points: readonly RrdPoint[]): number => {
  const times = points.map(({ time }) => time).sort((a, b) => a - b);
  const distances = times.slice(1).map((time, index) => time - (times[index] ?? time));
  const positive = distances.filter((distance) => distance > 0);
  return positive.length === 0 ? proxmoxVeLimits.rrdStepMs : Math.min(...positive) * 1000;
};
