/** Which checks cover a resource, and what is known of each. */
import { z } from 'zod';
import { type AnyDetector, CATEGORIES, SEVERITIES } from '../../signals/detector.ts';
import type { Resource } from '../../signals/resource.ts';
import type { RaisedCheck } from '../evidence/resource-reader.ts';
import { atMs } from './fields.ts';
import type { KeptReport } from './kept-report.ts';
import type { CapabilityPorts } from './ports.ts';

const unseen = z.strictObject({ subject: z.string().nullable(), code: z.string(), reason: z.string() });
const raised = z.strictObject({ subject: z.string().nullable(), severity: z.enum(SEVERITIES), sinceMs: atMs });

export const checkView = z.strictObject({
  detector: z.string(),
  title: z.string(),
  category: z.enum(CATEGORIES),
  state: z
    .enum(['raised', 'unobserved', 'not_raised', 'not_read', 'out_of_scope', 'switched_off'])
    .describe(
      'raised: the last verdict. unobserved: in the last run over everything. not_raised: neither, so clear, warming up ' +
        'or an accepted gap, as the coverage of that run counts them. The other three: no check, and why',
    ),
  reason: z.string().nullable().describe('why there is no check'),
  raised: z.array(raised).readonly(),
  unobserved: z.array(unseen).readonly(),
});

export type CheckView = z.output<typeof checkView>;

export interface ChecksInput {
  readonly resource: Resource;
  readonly settings: ReturnType<CapabilityPorts['settings']>;
  readonly raised: readonly RaisedCheck[];
  /** Of the last run over everything. */
  readonly report: KeptReport;
}

interface Absent {
  readonly state: 'not_read' | 'out_of_scope' | 'switched_off';
  readonly reason: string;
}

/** In the order in which an evaluation asks. */
const whyNone = (detector: AnyDetector, { resource, settings }: ChecksInput, isRaised: boolean): Absent | null => {
  const isRead = detector.reads.some((kind) => resource.expects.includes(kind));
  if (!isRead && !isRaised)
    return { state: 'not_read', reason: `no source delivers ${detector.reads.join(' or ')} of it` };
  const outOfScope = detector.skip?.(resource) ?? null;
  if (outOfScope !== null) return { state: 'out_of_scope', reason: outOfScope };
  return settings.limits.for(resource).all(detector.limits).allOff
    ? { state: 'switched_off', reason: 'switched off in the alert settings' }
    : null;
};

const viewCheck = (detector: AnyDetector, input: ChecksInput): CheckView => {
  const own = input.raised.filter((each) => each.detector === detector.type);
  const missed = input.report.unobserved.filter(
    (each) => each.detector === detector.type && each.resourceId === input.resource.id,
  );
  const none = whyNone(detector, input, own.length > 0);
  const seen = own.length > 0 ? 'raised' : missed.length > 0 ? 'unobserved' : 'not_raised';
  return {
    detector: detector.type,
    title: detector.title,
    category: detector.category,
    state: none?.state ?? seen,
    reason: none?.reason ?? null,
    raised: none === null ? own.map(({ subject, severity, sinceMs }) => ({ subject, severity, sinceMs })) : [],
    unobserved: none === null ? missed.map(({ subject, code, reason }) => ({ subject, code, reason })) : [],
  };
};

export const checksOf = (input: ChecksInput): readonly CheckView[] =>
  input.settings.detectors
    .filter(({ kinds }) => kinds.includes(input.resource.kind))
    .map((detector) => viewCheck(detector, input));
