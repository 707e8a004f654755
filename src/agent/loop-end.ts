/** How a loop ended, and what it used. */

import type { Usage } from '../model/model.ts';
import type { ModelFailureKind } from '../model/model-failure.ts';

/**
 * - `finished`: the model had nothing more to call.
 * - `no_progress`: every call failed, three turns in a row.
 * - `tools_as_text`: it went on to print calls instead of making them after it had been corrected.
 */
export const LOOP_END_REASONS = [
  'finished',
  'turns_used',
  'time_used',
  'out_of_budget',
  'context_full',
  'no_progress',
  'tools_as_text',
  'model_failed',
  'cancelled',
] as const;
export type LoopEndReason = (typeof LOOP_END_REASONS)[number];

export interface CallCounts {
  readonly succeeded: number;
  readonly failed: number;
  readonly refused: number;
}

export interface LoopEnd {
  readonly reason: LoopEndReason;
  /** Why the model gave no turn, where that ended it. */
  readonly failure: { readonly kind: ModelFailureKind; readonly message: string } | null;
  readonly turns: number;
  /** Of every attempt, those that failed and were aborted too. */
  readonly usage: Usage;
  readonly calls: CallCounts;
  /** Calls that were printed as text. */
  readonly printedCalls: number;
  readonly finalText: string;
}
