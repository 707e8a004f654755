/** One survey: the time there, the metrics that exist, the questions, and what their answers mean. */
import type { Gap } from '../../../signals/survey.ts';
import type { Clock } from '../../runtime/clock.ts';
import { PatroldError } from '../../runtime/errors.ts';
import { createSightingBuilder, type SightingBuilder } from '../sighting-builder.ts';
import type { Sighting, SourceState, SurveyRequest } from '../source.ts';
import { type MetricNames, readNames, readTargetErrors } from './answer.ts';
import { type AnswerCollector, createAnswers, lastValue } from './answers.ts';
import { areas, namedQueries } from './areas/index.ts';
import { askQueries } from './ask-queries.ts';
import { buildDisks } from './disks.ts';
import { buildHosts } from './hosts.ts';
import type { QueryContext } from './named-query.ts';
import { nodesInConflict, readNodeIdentities } from './node-claims.ts';
import type { PastAnswers } from './past-answers.ts';
import type { Asked, PrometheusApi } from './prometheus-api.ts';
import type { PrometheusConfig } from './prometheus-config.ts';
import { prometheusLimits } from './prometheus-limits.ts';
import { rememberHosts } from './remembered-hosts.ts';
import { keepEvaluated, surveyContext } from './survey-context.ts';
import { buildTargets } from './targets.ts';

export interface SurveyDeps {
  readonly id: string;
  readonly config: PrometheusConfig;
  readonly clock: Pick<Clock, 'nowMs'>;
  readonly state: SourceState;
  readonly api: PrometheusApi;
  readonly past: PastAnswers;
}

/** Metrics that had samples in this time exist. */
const NAMES_SPAN_MS = 3_600_000;

/** Throws where without the answer there is nothing to survey. */
const must = <T>(asked: Asked<T>): T => {
  if (asked.ok) return asked.value;
  throw new PatroldError('source_not_answering', asked.failure.reason);
};

/** By its own clock. Throws `source_not_answering`. */
export const readServerTime = async (api: PrometheusApi, signal: AbortSignal): Promise<number> =>
  must(await api.serverTimeMs(signal));

/** Throws `source_not_answering`. */
export const readMetricNames = async (
  api: PrometheusApi,
  { match }: PrometheusConfig,
  atMs: number,
  signal: AbortSignal,
): Promise<MetricNames> => {
  const body = must(await api.metricNames({ match, fromMs: atMs - NAMES_SPAN_MS, toMs: atMs }, signal));
  return must(readNames(body));
};

/** A clock that is off by more is a fault of its own: corrected here, but every other reader of it is misled. */
const clockGaps = (clockOffsetMs: number, origin: string): readonly Gap[] => {
  if (Math.abs(clockOffsetMs) <= prometheusLimits.clockDifferenceMs) return [];
  const seconds = Math.round(Math.abs(clockOffsetMs) / 1000);
  const ahead = clockOffsetMs > 0;
  const reason = `the clock of ${origin} is ${seconds} s ${ahead ? 'ahead of' : 'behind'} this machine's: set both by NTP`;
  return [{ ref: null, reads: [], code: ahead ? 'future' : 'stale', reason }];
};

const namesGaps = ({ present, incomplete }: MetricNames, origin: string): readonly Gap[] => {
  if (incomplete !== null) return [{ ref: null, reads: [], ...incomplete }];
  if (present.size > 0) return [];
  const reason = `${origin} has no samples of the last hour: does it scrape anything, and does match fit?`;
  return [{ ref: null, reads: [], code: 'empty', reason }];
};

const conflictGap = (key: string): Gap => ({
  ref: null,
  reads: [],
  code: 'malformed',
  reason: `several machines share the job and instance ${key.replace('\n', '/')}: give them labels of their own, or narrow what is read with match`,
});

interface Asking {
  readonly names: MetricNames;
  readonly context: QueryContext;
  readonly atMs: number;
}

const askAll = async ({ api, past }: SurveyDeps, request: SurveyRequest, { names, context, atMs }: Asking) => {
  const answers = createAnswers();
  const { paces, signal } = request;
  const input = { api, context, present: names.present, paces, past, atMs, signal };
  const isSecond = ({ when }: (typeof namedQueries)[number]): boolean => when !== undefined;
  const first = await askQueries(
    input,
    namedQueries.filter((query) => !isSecond(query)),
    answers,
  );
  const second = await askQueries(input, namedQueries.filter(isSecond), answers);
  return { answers, gaps: [...first, ...second], errors: await scrapeErrors(api, answers, signal) };
};

/** Only said beside targets that are down, so a missing one leaves no gap. */
const scrapeErrors = async (
  api: PrometheusApi,
  answers: AnswerCollector,
  signal: AbortSignal,
): Promise<ReadonlyMap<string, string>> => {
  const someDown = answers.series('targets_up').some((series) => lastValue(series) !== 1);
  const body = someDown ? await api.targets(signal) : null;
  return body?.ok === true ? readTargetErrors(body.value) : new Map();
};

/** Throws `source_not_answering` where not even the time or the metrics' names could be read. */
export const surveyPrometheus = async (deps: SurveyDeps, request: SurveyRequest): Promise<Sighting> => {
  const { api, clock, config, state } = deps;
  const askedAtMs = clock.nowMs();
  const atMs = await readServerTime(api, request.signal);
  // Its answer was made about half-way between.
  const clockOffsetMs = atMs - Math.round((askedAtMs + clock.nowMs()) / 2);
  const names = await readMetricNames(api, config, atMs, request.signal);
  const context = surveyContext({ match: config.match, state, request, atMs, clockOffsetMs });
  const { answers, gaps, errors } = await askAll(deps, request, { names, context, atMs });
  const out = createSightingBuilder('Prometheus');
  const conflicts = nodesInConflict(answers).map(conflictGap);
  for (const gap of [...clockGaps(clockOffsetMs, api.origin), ...namesGaps(names, api.origin), ...gaps, ...conflicts])
    out.gap(gap);
  mapAnswers(deps, request, { answers, errors, context, atMs, clockOffsetMs, out });
  if (answers.state('node_oom') !== 'failed') keepEvaluated(state, atMs);
  const isWhole = names.incomplete === null && names.present.size > 0 && conflicts.length === 0;
  const sighting = out.build();
  return isWhole ? sighting : { ...sighting, listed: [] };
};

interface Mapping {
  readonly answers: AnswerCollector;
  /** Scrape errors by target. */
  readonly errors: ReadonlyMap<string, string>;
  readonly context: QueryContext;
  readonly atMs: number;
  readonly clockOffsetMs: number;
  readonly out: SightingBuilder;
}

const mapAnswers = ({ id, config, state }: SurveyDeps, request: SurveyRequest, mapping: Mapping): void => {
  const { answers, errors, out } = mapping;
  const targets = buildTargets(answers);
  const down =
    answers.state('targets_up') === 'failed'
      ? []
      : rememberHosts(readNodeIdentities(answers, '_down'), readNodeIdentities(answers, ''), targets, state);
  const hosts = buildHosts(answers, down, { sourceId: id, targets, out });
  const disks = buildDisks(answers, hosts, out);
  const errorOf = (key: string): string | null => errors.get(key) ?? null;
  const world = { ...mapping, sourceId: id, config, request, state, targets, hosts, disks, errorOf };
  for (const area of areas) area.map(world);
};
