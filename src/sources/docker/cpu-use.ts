/** CPU use from two readings of a counter that the kernel keeps for each container. */
import type { CpuReading } from '../../../signals/reading.ts';

/** One reading of the counter. */
export interface CpuCount {
  readonly usedMs: number;
  /** By the engine's clock. */
  readonly atMs: number;
  /** By ours. */
  readonly seenAtMs: number;
  /** The counter begins anew with each start. */
  readonly startedAtMs: number | null;
}

/** Counts closer together than this say more about the scheduler than about the container. */
export const CPU_SHORTEST_MS = 500;
/** A mean over longer than this is history: patrold was off, and what counts is now. */
export const CPU_LONGEST_MS = 3_600_000;
/** How far the two clocks may run apart between two counts: beyond it one of them was set, and the window is a guess. */
const CLOCKS_APART_MS = 2_000;
const CLOCKS_APART_RATIO = 0.1;

const clocksAgree = (engineMs: number, oursMs: number): boolean =>
  Math.abs(engineMs - oursMs) <= CLOCKS_APART_MS + CLOCKS_APART_RATIO * Math.max(engineMs, oursMs);

/** Whether a reading can be made between these two. */
export const isComparable = (before: CpuCount | undefined, now: CpuCount): before is CpuCount => {
  if (before === undefined || before.startedAtMs !== now.startedAtMs || before.usedMs > now.usedMs) return false;
  const windowMs = now.atMs - before.atMs;
  return (
    windowMs >= CPU_SHORTEST_MS && windowMs <= CPU_LONGEST_MS && clocksAgree(windowMs, now.seenAtMs - before.seenAtMs)
  );
};

/** Relative to the CPUs that it may use; iowait and steal are not told for a container. */
export const cpuReading = (before: CpuCount, now: CpuCount, allowedCpus: number): CpuReading => {
  const windowMs = now.atMs - before.atMs;
  return {
    kind: 'cpu',
    busyRatio: (now.usedMs - before.usedMs) / windowMs / allowedCpus,
    iowaitRatio: null,
    stealRatio: null,
    windowMs: Math.round(windowMs),
    observedRatio: 1,
  };
};
