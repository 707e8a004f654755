/** From what a detector said about a subject to the verdict that is kept and filed. */
import { type AnyDetector, issueKey, type Judgement, type Verdict, type VerdictMemory } from './detector.ts';
import type { Facts, ResourceId, SourceId } from './resource.ts';

export interface Judged {
  readonly detector: AnyDetector;
  readonly resourceId: ResourceId;
  readonly judgement: Judgement;
  /** Sources whose readings the judgement stands on. */
  readonly sourceIds: readonly SourceId[];
  readonly before: VerdictMemory | null;
  readonly nowMs: number;
}

type Raised = Extract<Judgement, { readonly state: 'raised' }>;

const NOT_RAISED = { severity: null, level: null, sinceMs: 0 } as const;
const NO_DETAILS: Facts = {};

/** The earliest that is known: by the evidence, by the streak of bad looks, or by the first verdict of this episode. */
const sinceOf = ({ sinceMs, bad }: Raised, before: VerdictMemory | null, nowMs: number): number => {
  const told = Math.min(sinceMs ?? bad?.sinceMs ?? nowMs, nowMs);
  return before !== null && before.severity !== null ? Math.min(told, before.sinceMs) : told;
};

const raisedVerdict = ({ detector, resourceId, sourceIds, before, nowMs }: Judged, judgement: Raised): Verdict => {
  const { subject, severity, level, summary, clearsWhen, evidence, details = NO_DETAILS, bad = null } = judgement;
  const { type, category, title } = detector;
  const sinceMs = sinceOf(judgement, before, nowMs);
  const key = issueKey(type, subject);
  return {
    detector: type,
    resourceId,
    subject,
    memory: {
      severity,
      level: level?.value ?? null,
      trigger: level?.limit?.trigger ?? null,
      sinceMs,
      bad,
      seenAtMs: nowMs,
      sourceIds,
    },
    state: 'raised',
    signal: {
      type,
      resourceId,
      subject,
      key,
      severity,
      category,
      title,
      summary,
      clearsWhen,
      level,
      sinceMs,
      evidence,
      details,
      sourceIds,
    },
  };
};

export const toVerdict = (judged: Judged): Verdict => {
  const { detector, resourceId, judgement, sourceIds, before, nowMs } = judged;
  switch (judgement.state) {
    case 'clear':
      return { detector: detector.type, resourceId, subject: judgement.subject, memory: null, state: 'clear' };
    case 'raised':
      return raisedVerdict(judged, judgement);
    case 'unobserved': {
      const { subject, code, reason, bad, retryAtMs = null } = judgement;
      // What was raised stays raised, and what was seen of it stays known.
      const memory = bad === undefined ? before : { ...(before ?? NOT_RAISED), bad, seenAtMs: nowMs, sourceIds };
      return { detector: detector.type, resourceId, subject, memory, state: 'unobserved', code, reason, retryAtMs };
    }
  }
};
