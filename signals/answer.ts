/** Answers of several sources about one resource, weighed into one per subject. */
import { type Judgement, severityRank, type VerdictMemory } from './detector.ts';
import type { SourceId } from './resource.ts';

export interface Answer {
  readonly judgement: Judgement;
  /** Whose answer it is; null where it is everybody's. */
  readonly sourceId: SourceId | null;
}

/** Of several sources' answers about one subject the worst counts; one that saw it outweighs one that did not. */
export const worstBySubject = (
  answers: readonly Answer[],
  before: ReadonlyMap<string, VerdictMemory> | undefined,
): readonly Answer[] => {
  if (answers.length === 1) return answers;
  const bySubject = new Map<string, Answer>();
  for (const answer of answers) {
    const subject = answer.judgement.subject ?? '';
    const best = bySubject.get(subject);
    const raisers = raisersOf(before?.get(subject) ?? null);
    if (best === undefined || weight(answer, raisers) > weight(best, raisers)) bySubject.set(subject, answer);
  }
  return [...bySubject.values()];
};

/** Who raised what is raised now, or saw what is being confirmed; nobody if it isn't known. */
export const raisersOf = (known: VerdictMemory | null): readonly SourceId[] =>
  known === null || (known.severity === null && known.bad === null) ? [] : (known.sourceIds ?? []);

/**
 * A source that raised it and can't tell now leaves it open, whatever another says. A fault that is being confirmed
 * outweighs a clear: else it would never ripen beside a source that does not see it.
 */
const weight = ({ judgement, sourceId }: Answer, raisers: readonly SourceId[]): number => {
  if (judgement.state === 'raised') return 4 + severityRank(judgement.severity);
  if (judgement.state === 'clear') return 1;
  if (judgement.bad !== undefined) return 3;
  return sourceId !== null && raisers.includes(sourceId) ? 2 : 0;
};
