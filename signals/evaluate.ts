/** Readings + limits + history + now -> verdicts. Pure, ordered, one verdict per (detector, resource, subject). */
import { type Answer, raisersOf, worstBySubject } from './answer.ts';
import { whyBlind } from './blind.ts';
import type { AnyDetector, DetectorInput, Judgement, UnobservedCode, Verdict, VerdictMemory } from './detector.ts';
import { issueKey } from './detector.ts';
import { freshness } from './freshness.ts';
import type { History } from './history.ts';
import type { EffectiveLimit, LimitResolver } from './limits.ts';
import type { Reading, ReadingKind } from './reading.ts';
import type { Resource, ResourceId, ResourceKind, SourceId } from './resource.ts';
import type { GapCode } from './survey.ts';

/** Why readings of a resource are missing, after the sources' gaps were mapped to resources. */
export interface ResourceGap {
  readonly sourceId: SourceId;
  readonly reads: readonly ReadingKind[];
  readonly code: GapCode | 'source_failed';
  readonly reason: string;
}

/** The run's evidence, as detectors may see it. */
export interface World {
  readonly resources: readonly Resource[];
  readingsOf(id: ResourceId): readonly Reading[];
  gapsOf(id: ResourceId): readonly ResourceGap[];
  lastSurveyAtMs(sourceId: SourceId): number | null;
}

/** What detectors said before, by subject (`''` stands for none). */
export interface Memories {
  of(detector: string, resourceId: ResourceId): ReadonlyMap<string, VerdictMemory> | undefined;
}

export interface EvaluateInput {
  readonly world: World;
  readonly detectors: readonly AnyDetector[];
  readonly limits: LimitResolver;
  readonly history: History;
  readonly memories: Memories;
  readonly nowMs: number;
}

/** `not_due` passes; the others say that the check does not apply, so that what it raised before is over. */
export type SkipCode = 'out_of_scope' | 'switched_off' | 'not_due';

export interface Skip {
  readonly detector: string;
  readonly resourceId: ResourceId;
  readonly code: SkipCode;
  readonly reason: string;
}

export interface AbsentSubject {
  readonly detector: string;
  readonly resourceId: ResourceId;
  readonly subject: string;
  /** When the newest reading of the look was received: two looks at the same readings are one. */
  readonly lookAtMs: number;
}

export interface Evaluation {
  readonly verdicts: readonly Verdict[];
  /** Out of scope, or not due in this run: outside coverage. */
  readonly skipped: readonly Skip[];
  /** Subjects remembered as more than clear that a whole look no longer holds. */
  readonly absent: readonly AbsentSubject[];
}

interface Collector {
  readonly verdicts: Verdict[];
  readonly skipped: Skip[];
  readonly absent: AbsentSubject[];
}

export const evaluate = (input: EvaluateInput): Evaluation => {
  const out: Collector = { verdicts: [], skipped: [], absent: [] };
  const byKind = detectorsByKind(input.detectors);
  for (const resource of input.world.resources) {
    const candidates = byKind.get(resource.kind);
    if (candidates === undefined) continue;
    const readings = input.world.readingsOf(resource.id);
    for (const detector of candidates) judge(input, detector, resource, readings, out);
  }
  return out;
};

const detectorsByKind = (detectors: readonly AnyDetector[]): ReadonlyMap<ResourceKind, readonly AnyDetector[]> => {
  const byKind = new Map<ResourceKind, AnyDetector[]>();
  for (const detector of detectors) {
    for (const kind of detector.kinds) {
      const list = byKind.get(kind);
      if (list === undefined) byKind.set(kind, [detector]);
      else list.push(detector);
    }
  }
  return byKind;
};

const judge = (input: EvaluateInput, detector: AnyDetector, resource: Resource, readings: readonly Reading[], out: Collector): void => {
  const wanted = readings.filter(({ kind }) => detector.reads.includes(kind));
  const expected = resource.expects.some((kind) => detector.reads.some((read) => read === kind));
  if (wanted.length === 0 && !expected) return;
  const skip = (code: SkipCode, reason: string): void => {
    out.skipped.push({ detector: detector.type, resourceId: resource.id, code, reason });
  };
  const outOfScope = detector.skip?.(resource) ?? null;
  if (outOfScope !== null) return skip('out_of_scope', outOfScope);
  const limits = limitsOf(input.limits, detector, resource);
  if (limits === null) return skip('switched_off', 'switched off in the alert settings');
  const before = input.memories.of(detector.type, resource.id);
  const fresh = wanted.filter((reading) => freshness(reading.kind, reading.takenAtMs, input.nowMs) === 'fresh');
  if (fresh.length === 0) {
    const missing = whyMissing(input, detector, resource, wanted);
    if (missing.code === 'not_due') return skip('not_due', missing.reason);
    return unseen(detector, resource, missing.code, missing.reason, before, out);
  }
  const answers = judgeSources(input, detector, resource, fresh, limits, before);
  for (const answer of answers) out.verdicts.push(toVerdict(input, detector, resource, fresh, answer, before));
  if (before !== undefined) missSubjects(input, detector, resource, wanted, fresh, answers, before, out);
};

/** Null: every limit of the detector is off for this resource. */
const limitsOf = (resolver: LimitResolver, detector: AnyDetector, resource: Resource): Record<string, EffectiveLimit> | null => {
  const limits: Record<string, EffectiveLimit> = {};
  let count = 0;
  let off = 0;
  for (const name in detector.limits) {
    const spec = detector.limits[name];
    if (spec === undefined) continue;
    const limit = resolver.of(spec, resource);
    limits[name] = limit;
    count += 1;
    if (limit.off !== null) off += 1;
  }
  return count > 0 && off === count ? null : limits;
};

const whyMissing = (
  input: EvaluateInput,
  detector: AnyDetector,
  resource: Resource,
  unfresh: readonly Reading[],
): { code: UnobservedCode | 'not_due'; reason: string } => {
  const [old] = unfresh;
  if (old !== undefined) {
    const code = freshness(old.kind, old.takenAtMs, input.nowMs) === 'future' ? 'future' : 'stale';
    return { code, reason: code === 'stale' ? 'the newest reading is too old' : "the reading is dated in the future: check the source's clock" };
  }
  const gaps = input.world.gapsOf(resource.id).filter(({ reads }) => reads.length === 0 || reads.some((kind) => detector.reads.includes(kind)));
  const gap = gaps.find(({ code }) => code !== 'not_due') ?? gaps[0];
  if (gap !== undefined) return { code: gap.code, reason: gap.reason };
  return { code: 'no_reading', reason: 'the source delivered no reading and did not say why' };
};

/** Nothing was seen: what was raised stays raised and is marked stale by the caller; its memory is kept whole. */
const unseen = (
  detector: AnyDetector,
  resource: Resource,
  code: UnobservedCode,
  reason: string,
  before: ReadonlyMap<string, VerdictMemory> | undefined,
  out: Collector,
): void => {
  const subjects = before === undefined || before.size === 0 ? [''] : [...before.keys()];
  for (const subject of subjects) {
    out.verdicts.push({
      state: 'unobserved',
      detector: detector.type,
      resourceId: resource.id,
      subject: subject === '' ? null : subject,
      code,
      reason,
      retryAtMs: null,
      memory: before?.get(subject) ?? null,
    });
  }
};

const judgeSources = (
  input: EvaluateInput,
  detector: AnyDetector,
  resource: Resource,
  readings: readonly Reading[],
  limits: Record<string, EffectiveLimit>,
  before: ReadonlyMap<string, VerdictMemory> | undefined,
): readonly Answer[] => {
  const ask = (group: readonly Reading[], sourceId: SourceId | null): readonly Answer[] => {
    const answer = detector.detect(detectorInput(input, resource, group, limits, before));
    return Array.isArray(answer) ? answer.map((judgement: Judgement) => ({ judgement, sourceId })) : [{ judgement: answer as Judgement, sourceId }];
  };
  const first = readings[0]?.sourceId;
  if (detector.sources === 'together' || readings.every(({ sourceId }) => sourceId === first)) return ask(readings, null);
  const groups = [...Map.groupBy(readings, ({ sourceId }) => sourceId)];
  return worstBySubject(groups.flatMap(([sourceId, group]) => ask(group, sourceId)), before);
};

const detectorInput = (
  input: EvaluateInput,
  resource: Resource,
  readings: readonly Reading[],
  limits: Record<string, EffectiveLimit>,
  before: ReadonlyMap<string, VerdictMemory> | undefined,
): DetectorInput<never, never> => {
  const sourceId = readings[0]?.sourceId ?? '';
  const untyped: DetectorInput<ReadingKind, string> = {
    resource,
    // The caller filtered by the detector's `reads`; the union can't express it.
    readings: readings as DetectorInput<ReadingKind, string>['readings'],
    limits,
    history: input.history.of(resource.id),
    before: (subject) => before?.get(subject ?? '') ?? null,
    lastSurveyAtMs: input.world.lastSurveyAtMs(sourceId),
    nowMs: input.nowMs,
  };
  return untyped as unknown as DetectorInput<never, never>;
};

/** Remembered subjects without a judgement: absent after a whole look, unobserved after any other. */
const missSubjects = (
  input: EvaluateInput,
  detector: AnyDetector,
  resource: Resource,
  wanted: readonly Reading[],
  fresh: readonly Reading[],
  answers: readonly Answer[],
  before: ReadonlyMap<string, VerdictMemory>,
  out: Collector,
): void => {
  const judgements = answers.map(({ judgement }) => judgement);
  const missed = [...before].filter(([subject]) => !judgements.some((judgement) => (judgement.subject ?? '') === subject));
  if (missed.length === 0) return;
  const unfresh = wanted.length - fresh.length;
  const blind = whyBlind({ reads: detector.reads, gaps: input.world.gapsOf(resource.id), unfresh, judgements });
  if (blind !== null) {
    unseen(detector, resource, blind.code, blind.reason, new Map(missed), out);
    return;
  }
  const lookAtMs = fresh.reduce((newest, { receivedAtMs }) => Math.max(newest, receivedAtMs), 0);
  for (const [subject] of missed) out.absent.push({ detector: detector.type, resourceId: resource.id, subject, lookAtMs });
};

type TellingGap = ResourceGap & { readonly code: UnobservedCode };
const tells = (gap: ResourceGap): gap is TellingGap => gap.code !== 'not_due';

/** Another source's "clear" ends nothing while the source that raised it can't be asked. */
const raiserGap = (
  input: EvaluateInput,
  detector: AnyDetector,
  resource: Resource,
  readings: readonly Reading[],
  known: VerdictMemory | null,
): TellingGap | undefined => {
  const raisers = raisersOf(known);
  if (raisers.length === 0 || readings.some(({ sourceId }) => raisers.includes(sourceId))) return undefined;
  const gaps = input.world.gapsOf(resource.id).filter(tells);
  return gaps.find(
    ({ sourceId, reads }) => raisers.includes(sourceId) && (reads.length === 0 || reads.some((kind) => detector.reads.includes(kind))),
  );
};

const toVerdict = (
  input: EvaluateInput,
  detector: AnyDetector,
  resource: Resource,
  readings: readonly Reading[],
  { judgement, sourceId }: Answer,
  before: ReadonlyMap<string, VerdictMemory> | undefined,
): Verdict => {
  const base = { detector: detector.type, resourceId: resource.id, subject: judgement.subject };
  const known = before?.get(judgement.subject ?? '') ?? null;
  if (judgement.state === 'clear') {
    const gap = raiserGap(input, detector, resource, readings, known);
    if (gap === undefined) return { ...base, state: 'clear', memory: null };
    return { ...base, state: 'unobserved', code: gap.code, reason: gap.reason, retryAtMs: null, memory: known };
  }
  if (judgement.state === 'unobserved') {
    const { code, reason, bad, retryAtMs = null } = judgement;
    const memory = bad === undefined ? known : { ...(known ?? NOT_RAISED), bad, seenAtMs: input.nowMs };
    return { ...base, state: 'unobserved', code, reason, retryAtMs, memory };
  }
  const { severity, level, summary, clearsWhen, evidence, details = {} } = judgement;
  const raisedBefore = known !== null && known.severity !== null;
  const sourceIds = sourceId === null ? [...new Set(readings.map((reading) => reading.sourceId))] : [sourceId];
  const sinceMs = Math.min(judgement.sinceMs ?? input.nowMs, raisedBefore ? known.sinceMs : input.nowMs);
  return {
    ...base,
    state: 'raised',
    memory: { severity, level: level?.value ?? null, sinceMs, bad: judgement.bad ?? null, seenAtMs: input.nowMs, sourceIds },
    signal: {
      type: detector.type,
      resourceId: resource.id,
      subject: judgement.subject,
      key: issueKey(detector.type, judgement.subject),
      severity,
      category: detector.category,
      title: detector.title,
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

const NOT_RAISED = { severity: null, level: null, sinceMs: 0 } as const;
