/** The one document that `patrold run --json` prints. Its shape is public: docs/run-report.schema.json. */
import { z } from 'zod';
import { CATEGORIES, SEVERITIES } from '../../signals/detector.ts';
import { RUN_STATES, STAGES, TRIGGERS } from './run-record.ts';
import { RUN_STATUSES } from './run-status.ts';

/** Unobserved checks that a report lists; `run.coverage.unobserved` counts all. */
export const MAX_UNOBSERVED_LISTED = 5_000;

const resourceId = z.string().describe('id of a resource; `patrold resources` lists them');
const subject = z.string().nullable().describe('which of several on the resource; null where there is one');
const atMs = z.int().describe('epoch milliseconds');

const source = z.strictObject({
  sourceId: z.string(),
  outcome: z.enum(['ok', 'partial', 'failed']),
  reason: z.string().nullable(),
  durationMs: z.number(),
});

export const coverageSchema = z.strictObject({
  raised: z.int(),
  clear: z.int(),
  unobserved: z.int().describe('without what is accepted or warming up'),
  accepted: z.int().describe('unobserved, and accepted by the operator in `accept:`'),
  warmingUp: z.int().describe('not yet: a window that fills, a second look that is due'),
  skipped: z.int().describe('out of scope or not due: no verdict'),
  resources: z.int(),
  sources: z.array(source).readonly(),
});

const level = z
  .strictObject({ value: z.number(), limit: z.number().nullable(), unit: z.string(), limitFrom: z.string().nullable() })
  .nullable()
  .describe('the figure and the limit that it broke');

export const signalSchema = z.strictObject({
  key: z.string(),
  detector: z.string(),
  resourceId,
  subject,
  severity: z.enum(SEVERITIES),
  category: z.enum(CATEGORIES),
  title: z.string(),
  summary: z.string(),
  clearsWhen: z.string(),
  level,
  sinceMs: atMs,
  evidence: z.array(z.string()).readonly(),
});

export const unobservedSchema = z.strictObject({
  resourceId,
  detector: z.string(),
  subject,
  code: z.string(),
  reason: z.string(),
});

export const reportedFindingSchema = z.strictObject({
  id: z.string(),
  key: z.string(),
  resourceId,
  resourceName: z.string(),
  severity: z.enum(SEVERITIES),
  category: z.enum(CATEGORIES),
  filedBy: z.enum(['model', 'signal', 'operator']),
  state: z.enum(['active', 'resolved']),
  disposition: z.string(),
  stale: z.boolean(),
  counts: z
    .boolean()
    .describe('whether it counts for --fail-on and the status: not acknowledged, snoozed, dismissed, folded or muted'),
  title: z.string(),
  summary: z.string(),
  evidence: z.array(z.string()).readonly(),
  firstSeenAtMs: atMs,
  lastSeenAtMs: atMs,
  episodes: z.int(),
});

export const runReportSchema = z.strictObject({
  run: z.strictObject({
    id: z.string(),
    kind: z.enum(['patrol', 'watch']),
    state: z.enum(RUN_STATES),
    status: z.enum(RUN_STATUSES).nullable(),
    trigger: z.enum(TRIGGERS),
    scope: z.unknown().nullable(),
    reason: z.string().nullable(),
    startedAtMs: atMs,
    durationMs: z.number().nullable(),
    coverage: coverageSchema.nullable(),
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
  }),
  signals: z.array(signalSchema).readonly(),
  verdicts: z.strictObject({
    raised: z.int(),
    clear: z.int(),
    unobserved: z.array(unobservedSchema).readonly(),
    skipped: z.int(),
  }),
  findings: z
    .array(reportedFindingSchema)
    .readonly()
    .describe('active ones in scope, and those that this run resolved'),
});

export type RunReport = z.output<typeof runReportSchema>;
export type ReportedFinding = z.output<typeof reportedFindingSchema>;
