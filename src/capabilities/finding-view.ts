/** A finding as clients see it. */
import { z } from 'zod';
import { QUIET_REASONS, whyQuiet } from '../../findings/counts.ts';
import { DISMISSAL_REASONS, DISPOSITIONS, FILED_BY, FINDING_STATES, type Finding } from '../../findings/finding.ts';
import { INVESTIGATION_OUTCOMES } from '../../findings/investigation.ts';
import { CATEGORIES, type Level, SEVERITIES } from '../../signals/detector.ts';
import type { CapabilityContext } from './capability.ts';
import { atMs, facts, origin, originOf, resourceName } from './fields.ts';

const level = z
  .strictObject({
    value: z.number(),
    unit: z.string(),
    limit: z.strictObject({ trigger: z.number(), clear: z.number(), origin }).nullable(),
  })
  .describe('the figure and the limit that it broke');

const disposition = z
  .strictObject({
    kind: z.enum(DISPOSITIONS),
    by: z.string().nullable(),
    atMs: atMs.nullable(),
    note: z.string().nullable(),
    untilMs: atMs.nullable().describe('end of a snooze'),
    remindAtMs: atMs.nullable().describe('when a dismissal comes back'),
    reason: z.enum(DISMISSAL_REASONS).nullable(),
    suppressionId: z.string().nullable(),
  })
  .describe('what the operator decided about it');

export const findingView = z.strictObject({
  id: z.string(),
  resource: resourceName,
  key: z.string().describe('with the resource its identity: the detector’s type, with the subject if there is one'),
  detector: z.string().nullable(),
  filedBy: z.enum(FILED_BY),
  severity: z.enum(SEVERITIES),
  category: z.enum(CATEGORIES),
  title: z.string(),
  summary: z.string(),
  explanation: z.string().nullable(),
  clearsWhen: z.string().nullable(),
  level: level.nullable(),
  details: facts,
  sourceIds: z.array(z.string()).readonly(),
  state: z.enum(FINDING_STATES),
  disposition,
  quiet: z
    .enum(QUIET_REASONS)
    .nullable()
    .describe('why it does not count for the status of a run and for notifications; null: it counts'),
  stale: z
    .strictObject({ code: z.string(), reason: z.string(), sinceMs: atMs })
    .nullable()
    .describe('it could not be observed since; null: the last look saw it'),
  foldedUnder: z.string().nullable().describe('id of the finding about its cause'),
  resolution: z
    .strictObject({
      by: z.enum(['clear', 'gone', 'model', 'operator', 'merged']),
      reason: z.string().nullable(),
      atMs,
      confirmed: z.boolean().describe('false: an operator said so, and no look has confirmed it yet'),
    })
    .nullable(),
  declineReason: z.string().nullable().describe('why a model did not file what a detector raised'),
  episode: z.int().describe('from 1; a return after it was over is the next one'),
  regressions: z.int(),
  firstSeenAtMs: atMs,
  openedAtMs: atMs.describe('when this episode began for patrold'),
  sinceMs: atMs.describe('since when the problem lasts, as far as the evidence tells'),
  lastSeenAtMs: atMs,
  investigation: z.strictObject({
    outcome: z.enum(INVESTIGATION_OUTCOMES).nullable(),
    attempts: z.int(),
    running: z.boolean(),
    lastEndedAtMs: atMs.nullable(),
  }),
  lastFix: z.strictObject({ how: z.string(), episode: z.int(), atMs }).nullable(),
});

export type FindingView = z.output<typeof findingView>;

const viewLevel = ({ value, unit, limit }: Level): FindingView['level'] => ({
  value,
  unit,
  limit: limit === null ? null : { trigger: limit.trigger, clear: limit.clear, origin: originOf(limit.origin) },
});

const UNDECIDED: FindingView['disposition'] = {
  kind: 'none',
  by: null,
  atMs: null,
  note: null,
  untilMs: null,
  remindAtMs: null,
  reason: null,
  suppressionId: null,
};

const viewDisposition = ({ disposition }: Finding): FindingView['disposition'] => {
  if (disposition.kind === 'none') return UNDECIDED;
  if (disposition.kind === 'suppressed') return { ...UNDECIDED, ...disposition };
  const { mark: _mark, ...told } = disposition;
  return { ...UNDECIDED, ...told };
};

type Names = ReturnType<CapabilityContext['ports']['resources']['named']>;

const view = (finding: Finding, names: Names, quiet: FindingView['quiet']): FindingView => {
  const { evidence: _evidence, absence: _absence, lastSignalAtMs: _signal, resourceId, ...told } = finding;
  const known = names.get(resourceId);
  return {
    ...told,
    resource: { id: resourceId, name: known?.name ?? resourceId, kind: known?.kind ?? null },
    level: finding.level === null ? null : viewLevel(finding.level),
    disposition: viewDisposition(finding),
    quiet,
  };
};

export const viewFindings = (
  found: readonly Finding[],
  { ports, nowMs }: Pick<CapabilityContext, 'ports' | 'nowMs'>,
): readonly FindingView[] => {
  const ids = [...new Set(found.map(({ resourceId }) => resourceId))];
  const names = ports.resources.named(ids);
  const declared = new Map(ids.map((id) => [id, ports.findings.operatorState(id)]));
  return found.map((finding) =>
    view(finding, names, whyQuiet(finding, declared.get(finding.resourceId) ?? null, nowMs)),
  );
};
