/** Verdicts -> what becomes of the findings that are known. Resolves on "clear" and "gone" alone. Pure. */
import type { UnobservedCode, Verdict } from '../signals/detector.ts';
import type { AbsentSubject, Skip } from '../signals/evaluate.ts';
import type { ResourceId } from '../signals/resource.ts';
import type { FindingEvent } from './event.ts';
import type { Finding, FindingId } from './finding.ts';
import { patrold } from './history-entry.ts';
import { storedKeyOf } from './identity.ts';

export interface Change {
  readonly findingId: FindingId;
  readonly event: FindingEvent;
}

/** What of a finding decides. */
export type Reconcilable = Pick<
  Finding,
  'id' | 'resourceId' | 'key' | 'detector' | 'state' | 'resolution' | 'lastSignalAtMs'
>;

export interface ReconcileInput {
  /** The active ones, and those closed by hand that nothing has confirmed yet. */
  readonly findings: readonly Reconcilable[];
  readonly verdicts: readonly Verdict[];
  readonly absent: readonly AbsentSubject[];
  readonly skipped: readonly Skip[];
  /** Resources that are no more, and why. */
  readonly gone: ReadonlyMap<ResourceId, string>;
  /** Whether this run looked at it; what was out of its scope is left as it is. */
  inScope(id: ResourceId): boolean;
  readonly nowMs: number;
}

export const reconcile = (input: ReconcileInput): readonly Change[] => {
  const answers = answersOf(input);
  const changes: Change[] = [];
  for (const finding of input.findings) {
    if (finding.state !== 'active' && finding.resolution?.confirmed !== false) continue;
    const event = eventFor(finding, answers, input);
    if (event !== null) changes.push({ findingId: finding.id, event });
  }
  return changes;
};

interface Answers {
  readonly byKey: ReadonlyMap<string, Verdict>;
  /** Detectors that judged the resource at all in this run. */
  readonly byPair: ReadonlyMap<string, 'whole' | Extract<Verdict, { readonly state: 'unobserved' }>>;
  readonly absent: ReadonlyMap<string, AbsentSubject>;
  readonly skipped: ReadonlyMap<string, Skip>;
}

const keyed = (resourceId: ResourceId, key: string): string => `${resourceId}\n${key}`;

/** Only pairs that some finding asks about: a run judges many times more than there are findings. */
const answersOf = ({ findings, verdicts, absent, skipped }: ReconcileInput): Answers => {
  const asked = new Set(findings.map(({ resourceId, detector }) => keyed(resourceId, detector ?? '')));
  const isAsked = (of: { readonly resourceId: ResourceId; readonly detector: string }) =>
    asked.has(keyed(of.resourceId, of.detector));
  const byKey = new Map<string, Verdict>();
  const byPair = new Map<string, 'whole' | Extract<Verdict, { readonly state: 'unobserved' }>>();
  for (const verdict of verdicts) {
    if (!isAsked(verdict)) continue;
    byKey.set(keyed(verdict.resourceId, storedKeyOf(verdict.detector, verdict.subject)), verdict);
    const pair = keyed(verdict.resourceId, verdict.detector);
    const blind = verdict.state === 'unobserved' && verdict.subject === null;
    if (blind) byPair.set(pair, verdict);
    else if (!byPair.has(pair)) byPair.set(pair, 'whole');
  }
  return {
    byKey,
    byPair,
    absent: new Map(
      absent
        .filter(isAsked)
        .map((one) => [keyed(one.resourceId, storedKeyOf(one.detector, one.subject === '' ? null : one.subject)), one]),
    ),
    // Of several skips of one pair the one that passes by itself is remembered: the last that is set.
    skipped: new Map(
      skipped
        .filter(isAsked)
        .sort((a, b) => Number(a.code === 'not_due') - Number(b.code === 'not_due'))
        .map((one) => [keyed(one.resourceId, one.detector), one]),
    ),
  };
};

/** Null: this run has nothing to say about it, or filing said it already. */
const eventFor = (
  finding: Reconcilable,
  answers: Answers,
  { gone, inScope, nowMs }: ReconcileInput,
): FindingEvent | null => {
  const lost = gone.get(finding.resourceId);
  if (lost !== undefined) return { kind: 'gone', reason: lost };
  if (finding.detector === null || !inScope(finding.resourceId)) return null;
  const own = keyed(finding.resourceId, finding.key);
  const verdict = answers.byKey.get(own);
  if (verdict !== undefined) return eventOf(verdict);
  const pair = keyed(finding.resourceId, finding.detector);
  const judged = answers.byPair.get(pair);
  if (judged !== undefined && judged !== 'whole') return eventOf(judged);
  const absent = answers.absent.get(own);
  if (absent !== undefined) return { kind: 'absent', lookAtMs: absent.lookAtMs, reason: NO_LONGER_HELD };
  const skipped = answers.skipped.get(pair);
  if (skipped?.code === 'not_due') return null;
  if (judged === 'whole') {
    // What a detector never showed, a model's guess at a key of its, ends by its silence. What it did show and does not
    // remember may be there: `withFindings` (memory.ts) keeps that from happening.
    if (finding.lastSignalAtMs === null) return { kind: 'absent', lookAtMs: nowMs, reason: NO_LONGER_HELD };
    return { kind: 'unobserved', code: NOT_LOOKED_AT, reason: 'its detector spoke of other subjects only' };
  }
  return eventOfSkip(skipped, nowMs);
};

const NO_LONGER_HELD = 'two whole looks no longer held it';

const eventOf = (verdict: Verdict): FindingEvent | null => {
  switch (verdict.state) {
    case 'raised':
      return null;
    case 'clear':
      return { kind: 'cleared', actor: patrold, reason: null };
    case 'unobserved':
      return { kind: 'unobserved', code: verdict.code, reason: verdict.reason };
  }
};

const NOT_LOOKED_AT: UnobservedCode = 'no_reading';

/** A check that does not apply any more is a subject that is gone; one that said nothing was not observed. */
const eventOfSkip = (skip: Skip | undefined, nowMs: number): FindingEvent =>
  skip === undefined
    ? { kind: 'unobserved', code: NOT_LOOKED_AT, reason: 'its detector had nothing to judge it by' }
    : { kind: 'absent', lookAtMs: nowMs, reason: `the check no longer applies: ${skip.reason}` };
