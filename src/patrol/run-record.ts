/** A run as it is recorded: what was asked, how far it came, what it covered. */
import type { Coverage } from './coverage.ts';
import type { RunStatus } from './run-status.ts';
import type { Scope } from './scope.ts';

export type RunKind = 'patrol' | 'watch';

export const TRIGGERS = ['schedule', 'catch_up', 'manual', 'warm_up', 'webhook'] as const;
export type Trigger = (typeof TRIGGERS)[number];

export const RUN_STATES = ['queued', 'running', 'completed', 'cancelled', 'interrupted', 'failed'] as const;
export type RunState = (typeof RUN_STATES)[number];

/** In order. Those of the model's half say why they were skipped. */
export const STAGES = [
  'survey',
  'budget_check',
  'guest_intelligence',
  'triage',
  'seed_context',
  'model_loop',
  'detectors',
  'evaluation_pass',
  'filing',
  'assessment_sweep',
  'reconcile',
  'record',
] as const;
export type StageName = (typeof STAGES)[number];

export interface StageRecord {
  readonly name: StageName;
  readonly status: 'done' | 'skipped' | 'failed';
  readonly reason: string | null;
  readonly durationMs: number;
}

export interface RunRecord {
  readonly id: string;
  readonly requestId: string;
  readonly kind: RunKind;
  readonly trigger: Trigger;
  /** Null: everything. */
  readonly scope: Scope | null;
  readonly state: RunState;
  readonly status: RunStatus | null;
  readonly reason: string | null;
  readonly startedAtMs: number;
  readonly durationMs: number | null;
  readonly coverage: Coverage | null;
  readonly stages: readonly StageRecord[];
}
