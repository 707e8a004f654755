/** How many turns each loop of a run may take: by the surface it has to look at. */

const FULL_BASE = 5;
const FULL_A_FLAG = 3;
const FULL_LEAST = 8;
const FULL_MOST = 40;

export const patrolTurns = (flags: number): number =>
  Math.min(FULL_MOST, Math.max(FULL_LEAST, FULL_BASE + FULL_A_FLAG * flags));

export const EVALUATION_TURNS = 5;
/** Signals that one evaluation pass asks about; the rest is filed as it is. */
export const EVALUATION_SIGNALS = 20;

/** Findings of one batch of the sweep. */
export const SWEEP_BATCH = 10;
const SWEEP_MOST = 12;

export const sweepTurns = (findings: number): number => Math.min(findings + 2, SWEEP_MOST);
/** Batches of one run: what is beyond stays unassessed, and the run says so. */
export const SWEEP_BATCHES = 5;
