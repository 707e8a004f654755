/** Readings + limits + history + now -> verdicts. Pure, ordered, one verdict per (detector, resource, subject). */
import { type Answer, worstBySubject } from './answer.ts';
import { type Case, conclude, rest, skip, unobservedVerdict, unseen } from './case.ts';
import type { Judgement, VerdictMemory } from './detector.ts';
import { type DetectorPlan, planDetectors } from './detector-plan.ts';
import { DetectorQuestion } from './detector-question.ts';
import type { Collector, EvaluateInput, Evaluation, Memories } from './evaluation.ts';
import type { EffectiveLimit } from './limit.ts';
import type { ResourceLimits } from './limits.ts';
import { lookAt, type ResourceLook, readingsIn } from './look.ts';
import type { Reading } from './reading.ts';
import type { Resource } from './resource.ts';

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

type Remembered = (detector: string) => ReadonlyMap<string, VerdictMemory> | undefined;

const nothingRemembered: Remembered = () => undefined;

/** What was said of one resource, looked up once where the memories can do that. */
const memoriesOn = (memories: Memories, { id }: Resource): Remembered => {
  if (memories.onResource === undefined) return (detector) => memories.of(detector, id);
  const byDetector = memories.onResource(id);
  return byDetector === undefined ? nothingRemembered : (detector) => byDetector.get(detector);
};

export const evaluate = (input: EvaluateInput): Evaluation => {
  const out: Collector = { verdicts: [], skipped: [], absent: [], failures: [] };
  const plans = planDetectors(input.detectors);
  for (const resource of input.world.resources) {
    const candidates = plans.get(resource.kind);
    if (candidates === undefined) continue;
    const look = lookAt(resource, input.world.readingsOf(resource.id), input.history, input.nowMs);
    const limits = input.limits.for(resource);
    const remembered = memoriesOn(input.memories, resource);
    for (const plan of candidates) judge(input, plan, look, limits, remembered(plan.detector.type), out);
  }
  return out;
};

const judge = (
  input: EvaluateInput,
  { detector, mask }: DetectorPlan,
  look: ResourceLook,
  limits: ResourceLimits,
  before: ReadonlyMap<string, VerdictMemory> | undefined,
  out: Collector,
): void => {
  const { resource } = look;
  const concerns = ((look.usableMask | look.unusableMask | look.expectedMask) & mask) !== 0;
  // What was raised must not fall out of sight because nobody undertakes to read it any more.
  if (!concerns && (before === undefined || before.size === 0)) return;
  const outOfScope = detector.skip?.(resource) ?? null;
  if (outOfScope !== null) return void skip(out, detector, resource, 'out_of_scope', outOfScope);
  const set = limits.all(detector.limits);
  if (set.allOff) return void skip(out, detector, resource, 'switched_off', 'switched off in the alert settings');
  const at: Case = { input, detector, mask, look, before, out };
  if ((look.usableMask & mask) === 0) return void unseen(at);
  judgeReadings(at, readingsIn(look, mask), set.limits);
};

type Limits = Readonly<Record<string, EffectiveLimit>>;

const judgeReadings = (at: Case, readings: readonly Reading[], limits: Limits): void => {
  const answers = answersOf(at, readings, limits);
  if (answers === null) return;
  if (!isList(answers)) {
    conclude(at, readings, answers);
    if (at.before !== undefined || answers.judgement.subject !== null) rest(at, readings, [answers]);
    return;
  }
  for (const answer of answers) conclude(at, readings, answer);
  rest(at, readings, answers);
};

/** One answer where there is but one, which is nearly always; null: the detector threw. */
const answersOf = (at: Case, readings: readonly Reading[], limits: Limits): Answer | readonly Answer[] | null => {
  const together = at.detector.sources === 'together';
  const sourceId = sourceOfAll(readings);
  try {
    if (together || sourceId !== null) {
      const told = ask(at, readings, limits);
      const whose = together ? null : sourceId;
      return isList(told) ? worstBySubject(answersBy(told, whose), at.before) : { judgement: told, sourceId: whose };
    }
    const groups = [...Map.groupBy(readings, (reading) => reading.sourceId)];
    const answers = groups.flatMap(([id, group]) => {
      const told = ask(at, group, limits);
      return answersBy(isList(told) ? told : [told], id);
    });
    return worstBySubject(answers, at.before);
  } catch (error) {
    at.out.failures.push({ detector: at.detector.type, resourceId: at.look.resource.id, error });
    const subjects = at.before === undefined || at.before.size === 0 ? [''] : [...at.before.keys()];
    for (const subject of subjects)
      unobservedVerdict(at, subject, 'failed', 'the detector failed: a bug in patrold, please report it');
    return null;
  }
};

const ask = (at: Case, readings: readonly Reading[], limits: Limits): Judgement | readonly Judgement[] => {
  const { input, look, before } = at;
  return at.detector.detect(new DetectorQuestion({ input, look, before, readings, limits }).untyped);
};

const answersBy = (judgements: readonly Judgement[], sourceId: string | null): readonly Answer[] =>
  judgements.map((judgement) => ({ judgement, sourceId }));

/** `Array.isArray` does not narrow readonly arrays. */
const isList = <T>(value: T | readonly T[]): value is readonly T[] => Array.isArray(value);

/** Null: there are several. */
const sourceOfAll = (readings: readonly Reading[]): string | null => {
  const first = readings[0]?.sourceId ?? null;
  for (const { sourceId } of readings) if (sourceId !== first) return null;
  return first;
};
