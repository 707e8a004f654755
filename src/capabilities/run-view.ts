/** A run as clients see it. */
import { z } from 'zod';
import { RESOURCE_KINDS } from '../../signals/resource.ts';
import { coverageSchema } from '../patrol/report.ts';
import { RUN_STATES, type RunRecord, STAGES, TRIGGERS } from '../patrol/run-record.ts';
import { RUN_STATUSES } from '../patrol/run-status.ts';
import { atMs } from './fields.ts';

export const RUN_KINDS = ['patrol', 'watch'] as const;

const scope = z
  .strictObject({
    ids: z.array(z.string()).readonly(),
    kinds: z.array(z.enum(RESOURCE_KINDS)).readonly(),
    sources: z.array(z.string()).readonly(),
    tags: z.array(z.string()).readonly(),
  })
  .nullable()
  .describe('what it was confined to; null: everything');

export const runView = z.strictObject({
  id: z.string(),
  requestId: z.string(),
  kind: z.enum(RUN_KINDS),
  trigger: z.enum(TRIGGERS),
  scope,
  state: z.enum(RUN_STATES),
  status: z.enum(RUN_STATUSES).nullable().describe('one word for people; null until it has ended'),
  reason: z.string().nullable(),
  startedAtMs: atMs,
  durationMs: z.number().nullable(),
  coverage: coverageSchema.nullable().describe('what was seen and not seen; null: it did not come that far'),
  stages: z
    .array(
      z.strictObject({
        name: z.enum(STAGES),
        status: z.enum(['done', 'skipped', 'failed']),
        reason: z.string().nullable(),
        durationMs: z.number(),
      }),
    )
    .readonly(),
});

export type RunView = z.output<typeof runView>;

/** Only what is published: a column that the store adds stays inside until it is named here. */
export const viewRun = (run: RunRecord): RunView => {
  const { id, requestId, kind, trigger, state, status, reason, startedAtMs, durationMs, coverage, stages } = run;
  return {
    id,
    requestId,
    kind,
    trigger,
    scope: run.scope,
    state,
    status,
    reason,
    startedAtMs,
    durationMs,
    coverage,
    stages,
  };
};

/** Watches that changed nothing are counted by day, and leave no run. */
export const quietWatchesView = z
  .strictObject({ day: z.string(), count: z.int(), lastAtMs: atMs, lastStatus: z.enum(RUN_STATUSES) })
  .nullable()
  .describe('the newest day (UTC) with watches that changed nothing, which are counted and leave no run');
