/** Readings + limits + history + now -> verdicts. Pure, ordered, one verdict per (detector, resource, subject). */
import { type Answer, worstBySubject } from './answer.ts';
import { type Case, conclude, rest, skip, unobservedVerdict, unseen } from './case.ts';
import type { DetectorInput, Judgement } from './detector.ts';
import { type DetectorPlan, planDetectors } from './detector-plan.ts';
import type { Collector, EvaluateInput, Evaluation } from './evaluation.ts';
import type { EffectiveLimit } from './limit.ts';
import type { ResourceLimits } from './limits.ts';
import { lookAt, type ResourceLook, readingsIn } from './look.ts';
import type { Reading, ReadingKind } from './reading.ts';
import type { SourceId } from './resource.ts';

export type {
  AbsentSubject,
  DetectorFailure,
  EvaluateInput,
  Evaluation,
  Memories,
  ResourceGap,
  Skip,
  SkipCode,
  World,
} from './evaluation.ts';

export const evaluate = (input: EvaluateInput): Evaluation => {
  const out: Collector = { verdicts: [], skipped: [], absent: [], failures: [] };
  const plans = planDetectors(input.detectors);
  for (const resource of input.world.resources) {
    const candidates = plans.get(resource.kind);
    if (candidates === undefined) continue;
    const look = lookAt(resource, input.world.readingsOf(resource.id), input.nowMs);
    const limits = input.limits.for(resource);
    for (const plan of candidates) judge(input, plan, look, limits, out);
  }
  return out;
};

const judge = (
  input: EvaluateInput,
  { detector, mask }: DetectorPlan,
  look: ResourceLook,
  limits: ResourceLimits,
  out: Collector,
): void => {
  const { resource } = look;
  const before = input.memories.of(detector.type, resource.id);
  const concerns = ((look.usableMask | look.unusableMask | look.expectedMask) & mask) !== 0;
  // What was raised must not fall out of sight because nobody undertakes to read it any more.
  if (!concerns && (before === undefined || before.size === 0)) return;
  const outOfScope = detector.skip?.(resource) ?? null;
  if (outOfScope !== null) return void skip(out, detector, resource, 'out_of_scope', outOfScope);
  const set = limits.all(detector.limits);
  if (set.allOff) return void skip(out, detector, resource, 'switched_off', 'switched off in the alert settings');
  const at: Case = { input, detector, mask, look, before, out };
  if ((look.usableMask & mask) === 0) return void unseen(at);
  const readings = readingsIn(look, mask);
  const answers = answersOf(at, readings, set.limits);
  if (answers === null) return;
  for (const answer of answers) conclude(at, readings, answer);
  if (before !== undefined || answers.length !== 1 || answers[0]?.judgement.subject !== null)
    rest(at, readings, answers);
};

/** Null: the detector threw. */
const answersOf = (
  at: Case,
  readings: readonly Reading[],
  limits: Readonly<Record<string, EffectiveLimit>>,
): readonly Answer[] | null => {
  try {
    if (at.detector.sources === 'together') return worstBySubject(ask(at, readings, limits, null), at.before);
    const groups = bySource(readings);
    const [only] = groups;
    if (groups.length === 1 && only !== undefined)
      return worstBySubject(ask(at, only, limits, only[0]?.sourceId ?? null), at.before);
    return worstBySubject(
      groups.flatMap((group) => ask(at, group, limits, group[0]?.sourceId ?? null)),
      at.before,
    );
  } catch (error) {
    at.out.failures.push({ detector: at.detector.type, resourceId: at.look.resource.id, error });
    const subjects = at.before === undefined || at.before.size === 0 ? [''] : [...at.before.keys()];
    for (const subject of subjects)
      unobservedVerdict(at, subject, 'failed', 'the detector failed: a bug in patrold, please report it');
    return null;
  }
};

const ask = (
  at: Case,
  readings: readonly Reading[],
  limits: Readonly<Record<string, EffectiveLimit>>,
  sourceId: SourceId | null,
): readonly Answer[] => {
  const told = at.detector.detect(detectorInput(at, readings, limits));
  // `Array.isArray` does not narrow a readonly array.
  return Array.isArray(told)
    ? told.map((judgement: Judgement) => ({ judgement, sourceId }))
    : [{ judgement: told as Judgement, sourceId }];
};

const bySource = (readings: readonly Reading[]): readonly (readonly Reading[])[] => {
  const first = readings[0]?.sourceId;
  if (readings.every(({ sourceId }) => sourceId === first)) return [readings];
  return [...Map.groupBy(readings, ({ sourceId }) => sourceId).values()];
};

const nothingBefore = (): null => null;

const detectorInput = (
  { input, look, before }: Case,
  readings: readonly Reading[],
  limits: Readonly<Record<string, EffectiveLimit>>,
): DetectorInput<never, never> => {
  const untyped: DetectorInput<ReadingKind, string> = {
    resource: look.resource,
    // Only readings of the detector's `reads` are here; the union can't express it.
    readings: readings as DetectorInput<ReadingKind, string>['readings'],
    limits,
    history: input.history.of(look.resource.id),
    before: before === undefined ? nothingBefore : (subject) => before.get(subject ?? '') ?? null,
    lastSurveyAtMs: input.world.lastSurveyAtMs(readings[0]?.sourceId ?? ''),
    nowMs: input.nowMs,
  };
  return untyped as unknown as DetectorInput<never, never>;
};
