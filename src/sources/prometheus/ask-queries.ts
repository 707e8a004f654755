/** Asks the questions that are due, a few at a time, and says of each failure what is unobserved by it. */
import pLimit from 'p-limit';
import type { ReadingKind } from '../../../signals/reading.ts';
import type { Gap } from '../../../signals/survey.ts';
import type { Pace } from '../source.ts';
import { readAnswer } from './answer.ts';
import type { AnswerCollector } from './answers.ts';
import type { NamedQuery, QueryContext } from './named-query.ts';
import type { PastAnswers } from './past-answers.ts';
import type { AskFailure, PrometheusApi } from './prometheus-api.ts';
import { prometheusLimits } from './prometheus-limits.ts';

export interface AskInput {
  readonly api: PrometheusApi;
  readonly context: QueryContext;
  /** Metrics that exist there. */
  readonly present: ReadonlySet<string>;
  readonly paces: readonly Pace[];
  readonly past: PastAnswers;
  /** Evaluation time, by Prometheus' clock. */
  readonly atMs: number;
  readonly signal: AbortSignal;
}

/** Fills `answers`; returns what is missing. After a few questions in a row without any answer the rest is not asked. */
export const askQueries = async (
  input: AskInput,
  queries: readonly NamedQuery[],
  answers: AnswerCollector,
): Promise<readonly Gap[]> => {
  const gaps: Gap[] = [];
  const unasked: NamedQuery[] = [];
  let brokenInARow = 0;
  let lastFailure: AskFailure | null = null;
  const fail = (query: NamedQuery, failure: AskFailure): void => {
    answers.mark(query.name, 'failed');
    brokenInARow = failure.broken ? brokenInARow + 1 : 0;
    if (failure.broken) lastFailure = failure;
    if (query.enriches === true && !failure.broken) return;
    gaps.push({ ref: null, reads: query.reads, code: failure.code, reason: failure.reason });
  };
  const one = async (query: NamedQuery): Promise<void> => {
    if (brokenInARow >= prometheusLimits.brokenInARow) {
      answers.mark(query.name, 'failed');
      unasked.push(query);
      return;
    }
    const failure = await askOne(input, query, answers, gaps);
    if (failure === null) brokenInARow = 0;
    else fail(query, failure);
  };
  const inTurn = pLimit(prometheusLimits.questionsAtOnce);
  await Promise.all(queries.filter((query) => isDue(input, query, answers)).map((query) => inTurn(one, query)));
  return unasked.length === 0 ? gaps : [...gaps, cutOff(unasked, lastFailure)];
};

const isDue = (
  { present, paces, past, context, atMs }: AskInput,
  query: NamedQuery,
  answers: AnswerCollector,
): boolean => {
  const { name, needs, oneOf = needs, pace = 'fast', when } = query;
  if (!needs.every((metric) => present.has(metric)) || !oneOf.some((metric) => present.has(metric))) {
    answers.mark(name, 'absent');
    return false;
  }
  if (when !== undefined && !when(answers, context)) return false;
  if (pace !== 'past') return paces.includes(pace);
  const kept = past.get(name, atMs);
  if (kept !== null) answers.put(name, kept);
  return kept === null;
};

/** Null: it was answered. */
const askOne = async (
  input: AskInput,
  query: NamedQuery,
  answers: AnswerCollector,
  gaps: Gap[],
): Promise<AskFailure | null> => {
  const { api, context, signal, past } = input;
  const { name, range = null, valueIsTime = false } = query;
  const atMs = query.atMs?.(context) ?? input.atMs;
  const body = await api.ask({ name, promql: query.promql(context, answers), atMs, range, valueIsTime }, signal);
  const read = body.ok ? readAnswer(body.value, name) : body;
  if (!read.ok) return read.failure;
  answers.put(name, read.value);
  if (query.pace === 'past') past.put(name, read.value, input.atMs);
  const { incomplete } = read.value;
  if (incomplete !== null && query.enriches !== true) gaps.push({ ref: null, reads: query.reads, ...incomplete });
  return null;
};

const cutOff = (unasked: readonly NamedQuery[], failure: AskFailure | null): Gap => {
  // One that stands for every kind makes the gap stand for every kind.
  const all = unasked.some(({ reads }) => reads.length === 0);
  const reads: ReadingKind[] = all ? [] : [...new Set(unasked.flatMap((query) => query.reads))];
  const because = failure?.reason ?? 'no answer';
  return {
    ref: null,
    reads,
    code: failure?.code ?? 'unreachable',
    reason: `${unasked.length} questions were not asked any more: ${because}`,
  };
};
