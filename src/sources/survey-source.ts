/** Asks one source, or many, once each, and turns whatever happens into a survey: a source can't stop a run. */
import pLimit from 'p-limit';
import type { GapCode, Survey } from '../../signals/survey.ts';
import type { Clock } from '../runtime/clock.ts';
import { PatroldError } from '../runtime/errors.ts';
import type { Logger } from '../runtime/logger.ts';
import { settle } from '../runtime/settle.ts';
import { cleanText } from '../runtime/text.ts';
import type { Source, SurveyRequest } from './source.ts';

/** Sources that are read at the same time. */
export const SURVEYS_AT_ONCE = 4;

const MAX_REASON_LENGTH = 500;

/**
 * Gaps that say how this machine is set up, not that a read went wrong: what they cover is unobserved with the reason,
 * but the source answered all that it can.
 */
export const STANDING_GAPS: ReadonlySet<GapCode> = new Set([
  'not_installed',
  'not_supported',
  'not_permitted',
  'asleep',
  'not_due',
  'not_answering',
]);

export interface SurveyDeps {
  readonly clock: Clock;
  readonly logger: Logger;
}

/** One source with what it is asked, and how long it may take. */
export interface SurveyTask {
  readonly source: Source;
  readonly request: SurveyRequest;
  readonly timeoutMs: number;
}

const reasonOf = (error: unknown): string =>
  cleanText(error instanceof Error ? error.message : String(error), MAX_REASON_LENGTH);

export const surveySource = async (
  { source, request, timeoutMs }: SurveyTask,
  { clock, logger }: SurveyDeps,
): Promise<Survey> => {
  const startedAtMs = clock.nowMs();
  const begun = clock.monotonicMs();
  const timeout = new AbortController();
  const timer = setTimeout(
    () => timeout.abort(new PatroldError('source_not_answering', `no complete answer within ${timeoutMs} ms`)),
    timeoutMs,
  );
  const signal = AbortSignal.any([request.signal, timeout.signal]);
  const base = { sourceId: source.id, startedAtMs };
  try {
    const sighting = await settle(source.survey({ ...request, signal }), signal);
    const broken = sighting.gaps.filter(({ code }) => !STANDING_GAPS.has(code));
    const [first] = broken;
    const more = broken.length > 1 ? ` (and ${broken.length - 1} more)` : '';
    return {
      ...base,
      ...sighting,
      durationMs: clock.monotonicMs() - begun,
      outcome: first === undefined ? 'ok' : 'partial',
      reason: first === undefined ? null : `${first.reason}${more}`,
    };
  } catch (error) {
    // The run was cancelled: that says nothing about the source.
    request.signal.throwIfAborted();
    const reason = reasonOf(error);
    logger.warn({ source: source.id, err: error }, 'survey failed');
    const durationMs = clock.monotonicMs() - begun;
    return {
      ...base,
      durationMs,
      outcome: 'failed',
      reason,
      claims: [],
      readings: [],
      series: [],
      gaps: [],
      listed: [],
    };
  } finally {
    clearTimeout(timer);
  }
};

/** Surveys in the order of the tasks, however they finish; `onSurvey` hears of each as it ends. */
export const surveyAll = async (
  tasks: readonly SurveyTask[],
  deps: SurveyDeps,
  onSurvey: (survey: Survey) => void,
): Promise<readonly Survey[]> => {
  const limit = pLimit(SURVEYS_AT_ONCE);
  return Promise.all(
    tasks.map((task) =>
      limit(async () => {
        const survey = await surveySource(task, deps);
        onSurvey(survey);
        return survey;
      }),
    ),
  );
};
