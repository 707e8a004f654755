/** Readings + limits + history + now -> verdicts. Pure, ordered, one verdict per (detector, resource, subject). */
import { type Answer, worstBySubject } from './answer.ts';
import { conclude, rest, skip, unobservedVerdict, unseen } from './case.ts';
import type { Judgement } from './detector.ts';
import { type Before, type Case, DetectorQuestion, type Limits } from './detector-case.ts';
import { type DetectorPlan, planDetectors } from './detector-plan.ts';
import type { Collector, EvaluateInput, Evaluation, Memories } from './evaluation.ts';
import type { ResourceLimits } from './limits.ts';
import { ResourceLook } from './look.ts';
import type { Reading } from './reading.ts';
import type { Resource } from './resource.ts';

export type {
  AbsentSubject,
  EvaluateInput,
  Evaluation,
  Memories,
  ResourceGap,
  Skip,
  SkipCode,
  World,
} from './evaluation.ts';

type Remembered = (detector: string) => Before;

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
    const look = new ResourceLook(resource, input.world.readingsOf(resource.id), input.history, input.nowMs);
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
  before: Before,
  out: Collector,
): void => {
  const { resource } = look;
  // What was raised must not fall out of sight because nobody undertakes to read it any more.
  if (!look.concerns(mask) && (before === undefined || before.size === 0)) return;
  const outOfScope = detector.skip?.(resource) ?? null;
  if (outOfScope !== null) return void skip(out, detector, resource, 'out_of_scope', outOfScope);
  const set = limits.all(detector.limits);
  if (set.allOff) return void skip(out, detector, resource, 'switched_off', 'switched off in the alert settings');
  const at: Case = { input, detector, mask, look, before, out };
  if ((look.usableMask & mask) === 0) return void unseen(at);
  judgeReadings(at, look.readingsIn(mask), set.limits);
};

const judgeReadings = (at: Case, readings: readonly Reading[], limits: Limits): void => {
  const told = answersOf(at, readings, limits);
  if (told === null) return;
  if (isList(told)) {
    for (const { judgement, sourceId } of told) conclude(at, readings, judgement, sourceId);
    return void rest(at, readings, told);
  }
  const sourceId = at.detector.sources === 'together' ? null : (readings[0]?.sourceId ?? null);
  conclude(at, readings, told, sourceId);
  if (at.before !== undefined || told.subject !== null) rest(at, readings, [{ judgement: told, sourceId }]);
};

/** The bare judgement where there is but one, which is nearly always; null: the detector threw. */
const answersOf = (at: Case, readings: readonly Reading[], limits: Limits): Judgement | readonly Answer[] | null => {
  const sourceId = at.detector.sources === 'together' ? null : sourceOfAll(readings);
  try {
    if (sourceId === SEVERAL) return askEach(at, readings, limits);
    const told = ask(at, readings, limits);
    return isList(told) ? worstBySubject(answersBy(told, sourceId), at.before) : told;
  } catch (error) {
    at.out.failures.push({ detector: at.detector.type, resourceId: at.look.resource.id, error });
    const subjects = at.before === undefined || at.before.size === 0 ? [''] : [...at.before.keys()];
    for (const subject of subjects)
      unobservedVerdict(at, subject, 'failed', 'the detector failed: a bug in patrold, please report it');
    return null;
  }
};

const askEach = (at: Case, readings: readonly Reading[], limits: Limits): readonly Answer[] => {
  const answers = [...Map.groupBy(readings, ({ sourceId }) => sourceId)].flatMap(([sourceId, group]) => {
    const told = ask(at, group, limits);
    return answersBy(isList(told) ? told : [told], sourceId);
  });
  return worstBySubject(answers, at.before);
};

const ask = (at: Case, readings: readonly Reading[], limits: Limits): Judgement | readonly Judgement[] =>
  at.detector.detect(new DetectorQuestion(at, readings, limits).untyped);

const answersBy = (judgements: readonly Judgement[], sourceId: string | null): readonly Answer[] =>
  judgements.map((judgement) => ({ judgement, sourceId }));

/** `Array.isArray` does not narrow readonly arrays. */
const isList = <T, U>(value: T | readonly U[]): value is readonly U[] => Array.isArray(value);

/** No source is called so. */
const SEVERAL = '';

const sourceOfAll = (readings: readonly Reading[]): string => {
  const first = readings[0]?.sourceId ?? SEVERAL;
  for (const { sourceId } of readings) if (sourceId !== first) return SEVERAL;
  return first;
};
