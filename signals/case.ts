/** One detector before one resource: what becomes of each thing it did, or did not, say. */
import { type Answer, raisersOf } from './answer.ts';
import { whyBlind } from './blind.ts';
import type { AnyDetector, Judgement, UnobservedCode, VerdictMemory } from './detector.ts';
import type { Case } from './detector-case.ts';
import type { Collector, ResourceGap, SkipCode } from './evaluation.ts';
import type { Reading } from './reading.ts';
import { bitOf, maskOf } from './reading-mask.ts';
import type { Resource, SourceId } from './resource.ts';
import { toVerdict } from './verdict.ts';

export const skip = (
  out: Collector,
  detector: AnyDetector,
  resource: Resource,
  code: SkipCode,
  reason: string,
): void => {
  out.skipped.push({ detector: detector.type, resourceId: resource.id, code, reason });
};

export const unseen = (at: Case): void => {
  const missing = whyMissing(at);
  if (missing.code === 'not_due') return void skip(at.out, at.detector, at.look.resource, 'not_due', missing.reason);
  const { before } = at;
  const subjects = before === undefined || before.size === 0 ? [''] : [...before.keys()];
  for (const subject of subjects) unobservedVerdict(at, subject, missing.code, missing.reason);
};

const whyMissing = ({
  input,
  mask,
  look,
}: Case): { readonly code: UnobservedCode | 'not_due'; readonly reason: string } => {
  const old = look.unusable.find(({ reading }) => (bitOf(reading.kind) & mask) !== 0);
  if (old !== undefined) return old;
  const gaps = input.world.gapsOf(look.resource.id).filter((gap) => covers(gap, mask));
  const gap = gaps.find(({ code }) => code !== 'not_due') ?? gaps[0];
  return gap ?? { code: 'no_reading', reason: 'the source delivered no reading and did not say why' };
};

/** Nothing was seen of a subject: what was raised stays raised, and its memory is kept whole. */
export const unobservedVerdict = (
  { detector, look, before, out }: Case,
  subject: string,
  code: UnobservedCode,
  reason: string,
): void => {
  out.verdicts.push({
    state: 'unobserved',
    detector: detector.type,
    resourceId: look.resource.id,
    subject: subject === '' ? null : subject,
    code,
    reason,
    retryAtMs: null,
    memory: before?.get(subject) ?? null,
  });
};

const sourcesOf = (readings: readonly Reading[]): readonly SourceId[] => {
  const first = readings[0]?.sourceId;
  if (first === undefined) return [];
  return readings.every(({ sourceId }) => sourceId === first)
    ? [first]
    : [...new Set(readings.map(({ sourceId }) => sourceId))];
};

const covers = ({ reads }: ResourceGap, mask: number): boolean => reads.length === 0 || (maskOf(reads) & mask) !== 0;

/** How a source is set up for good: from one that never has such readings it takes nothing away from those of others. */
const STANDING: ReadonlySet<string> = new Set(['not_installed', 'not_supported', 'not_permitted']);

/** Gaps beside a reading that take nothing away from it: the rest of the look is whole. */
const HARMLESS: ReadonlySet<string> = new Set([...STANDING, 'not_due', 'asleep', 'not_answering']);

/**
 * A "clear" ends nothing while the source that raised it can't be asked, is not asked in this run, or could only read a
 * part: what it knew of the past may be what proved the fault.
 */
const raiserGap = (
  { input, mask, look }: Case,
  readings: readonly Reading[],
  known: VerdictMemory,
): ResourceGap | undefined => {
  const raisers = raisersOf(known);
  if (raisers.length === 0) return undefined;
  const answered = readings.some(({ sourceId }) => raisers.includes(sourceId));
  const gaps = input.world
    .gapsOf(look.resource.id)
    .filter((gap) => raisers.includes(gap.sourceId) && covers(gap, mask) && !(answered && HARMLESS.has(gap.code)));
  return gaps.find(({ code }) => code !== 'not_due') ?? gaps[0];
};

export const conclude = (
  at: Case,
  readings: readonly Reading[],
  judgement: Judgement,
  sourceId: SourceId | null,
): void => {
  const { detector, look, before, out } = at;
  const known = before?.get(judgement.subject ?? '') ?? null;
  if (judgement.state === 'clear' && known === null) {
    // By far the most frequent verdict.
    const { subject } = judgement;
    out.verdicts.push({ detector: detector.type, resourceId: look.resource.id, subject, memory: null, state: 'clear' });
    return;
  }
  const gap = judgement.state === 'clear' && known !== null ? raiserGap(at, readings, known) : undefined;
  if (gap?.code === 'not_due') return void skip(out, detector, look.resource, 'not_due', gap.reason);
  if (gap !== undefined) return void unobservedVerdict(at, judgement.subject ?? '', gap.code, gap.reason);
  const sourceIds = sourceId === null ? sourcesOf(readings) : [sourceId];
  const { nowMs } = at.input;
  out.verdicts.push(toVerdict({ detector, resourceId: look.resource.id, judgement, sourceIds, before: known, nowMs }));
};

/** Sources that are asked at a slower pace and said nothing in this run: what they told before still stands. */
const waitingFor = (told: readonly ResourceGap[], mask: number, answering: readonly SourceId[]): readonly SourceId[] =>
  told.flatMap((gap) =>
    gap.code === 'not_due' && covers(gap, mask) && !answering.includes(gap.sourceId) ? [gap.sourceId] : [],
  );

/** Subjects of which nothing was said: absent after a whole look, unobserved after any other. */
export const rest = (at: Case, readings: readonly Reading[], answers: readonly Answer[]): void => {
  const { input, detector, mask, look, before, out } = at;
  const told = input.world.gapsOf(look.resource.id);
  if (before === undefined && told.length === 0 && look.unusable.length === 0 && answers.length > 0) return;
  const judgements = answers.map(({ judgement }) => judgement);
  const judged = new Set(judgements.map(({ subject }) => subject ?? ''));
  const missed = [...(before?.keys() ?? [])].filter((subject) => !judged.has(subject));
  const answering = sourcesOf(readings);
  const gaps = told.filter((gap) => covers(gap, mask) && (answering.includes(gap.sourceId) || !STANDING.has(gap.code)));
  const unfresh = look.unusable.filter(({ reading }) => (bitOf(reading.kind) & mask) !== 0).length;
  const blind = whyBlind({ reads: detector.reads, gaps, unfresh, judgements });
  if (blind !== null) {
    // Whoever reads the coverage has to learn that a part could not be seen, also where that part never had a name.
    // A gap of everything says nothing about this part.
    const isTold = unfresh > 0 || gaps.some(({ reads, code }) => reads.length > 0 && code !== 'not_due');
    const unnamed = judged.has('') || missed.length > 0 || !isTold ? [] : [''];
    for (const subject of [...missed, ...unnamed]) unobservedVerdict(at, subject, blind.code, blind.reason);
    return;
  }
  const lookAtMs = readings.reduce((newest, { receivedAtMs }) => Math.max(newest, receivedAtMs), 0);
  const waiting = waitingFor(told, mask, answering);
  for (const subject of missed) {
    const { sourceIds } = before?.get(subject) ?? {};
    const isAwaited = waiting.some((sourceId) => sourceIds?.includes(sourceId) ?? true);
    if (!isAwaited) out.absent.push({ detector: detector.type, resourceId: look.resource.id, subject, lookAtMs });
  }
  if (judged.size === 0 && missed.length === 0)
    skip(out, detector, look.resource, 'out_of_scope', 'there is nothing of the kind on it');
};
