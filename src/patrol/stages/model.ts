/**
 * The stages of the model's half, in the places where they belong. Without a provider each is skipped, and the run is
 * whole all the same: that is a choice, not a degradation.
 */
import type { StageName } from '../run-record.ts';

export const BEFORE_DETECTORS = [
  'budget_check',
  'guest_intelligence',
  'triage',
  'seed_context',
  'model_loop',
] as const satisfies readonly StageName[];
export const AFTER_DETECTORS = ['evaluation_pass'] as const satisfies readonly StageName[];
export const AFTER_FILING = ['assessment_sweep'] as const satisfies readonly StageName[];

export const NO_PROVIDER = 'no provider';
