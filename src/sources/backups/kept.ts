/** What is remembered of one backup between surveys: systemd forgets at a boot, and while the next run goes on. */
import { z } from 'zod';
import type { SourceState } from '../source.ts';

const runSchema = z.object({
  startedAtMs: z.number().nullable(),
  endedAtMs: z.number(),
  result: z.string(),
  exitStatus: z.number(),
});

const keptSchema = z.object({
  /** When this entry of the config was first surveyed, or had been backed up: "never backed up" counts from here. */
  sinceMs: z.number(),
  /** Whether an archive was ever seen. */
  hadArchives: z.boolean(),
  /** The survey before found none where there had been some. */
  wasEmptied: z.boolean(),
  lastRun: runSchema.nullable(),
  /** Of good runs, newest last. */
  durationsMs: z.array(z.number()),
});

export type Kept = z.output<typeof keptSchema>;

const keyOf = (name: string): string => `backup:${name}`;

/** A time in the future is that of a clock that has been put back since. */
export const readKept = (state: SourceState, name: string, nowMs: number): Kept => {
  const fresh: Kept = { sinceMs: nowMs, hadArchives: false, wasEmptied: false, lastRun: null, durationsMs: [] };
  const kept = keptSchema.safeParse(state.get(keyOf(name)));
  return kept.success ? { ...kept.data, sinceMs: Math.min(kept.data.sinceMs, nowMs) } : fresh;
};

export const writeKept = (state: SourceState, name: string, kept: Kept): void => state.set(keyOf(name), kept);

/** Runs whose durations make up the usual one. */
const DURATIONS = 9;

/** Adds a run that had not been seen yet. */
export const withRun = (kept: Kept, run: Kept['lastRun']): Kept => {
  if (run === null || (kept.lastRun !== null && run.endedAtMs <= kept.lastRun.endedAtMs)) return kept;
  const isGood = run.result === 'success' && run.startedAtMs !== null;
  const durationMs = run.endedAtMs - (run.startedAtMs ?? run.endedAtMs);
  return {
    ...kept,
    lastRun: run,
    durationsMs: isGood ? [...kept.durationsMs, durationMs].slice(-DURATIONS) : kept.durationsMs,
  };
};

/** The median; null before there was a good run. */
export const usualDurationMs = ({ durationsMs }: Kept): number | null =>
  durationsMs.toSorted((a, b) => a - b)[Math.floor(durationsMs.length / 2)] ?? null;
