/** Metrics of sources: how their surveys went, and when one was last whole. */
import type { SourceId } from '../../signals/resource.ts';
import { Counter, Histogram, type Metrics, type Series, secondsOf } from '../runtime/metrics.ts';
import type { OnRunEvent, SurveySummary } from './events.ts';

export type SurveyOutcome = SurveySummary['outcome'];

/** The last survey of a source. */
export interface LastSurvey {
  readonly sourceId: SourceId;
  readonly outcome: SurveyOutcome;
  /** Null: none was whole yet. */
  readonly lastCompleteAtMs: number | null;
}

export interface SourceMetricsDeps {
  readonly metrics: Metrics;
  /** Of every source in the config that was surveyed before, also by an earlier process. */
  readonly lastSurveys: () => readonly LastSurvey[];
}

const OUTCOMES: readonly SurveyOutcome[] = ['ok', 'partial', 'failed'];
const SURVEY_BUCKETS_SECONDS = [0.01, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120];

const outcomeSeries = ({ sourceId: source, outcome }: LastSurvey): readonly Series<'source' | 'outcome'>[] =>
  OUTCOMES.map((each) => ({ labels: { source, outcome: each }, value: each === outcome ? 1 : 0 }));

const completeSeries = ({ sourceId: source, lastCompleteAtMs: atMs }: LastSurvey): readonly Series<'source'>[] =>
  atMs === null ? [] : [{ labels: { source }, value: secondsOf(atMs) }];

export const createSourceMetrics = ({ metrics, lastSurveys }: SourceMetricsDeps): OnRunEvent => {
  const registers = [metrics.registry];
  const surveys = new Counter({
    name: 'patrold_source_surveys_total',
    help: 'Surveys of sources, by outcome',
    labelNames: ['source', 'outcome'],
    registers,
  });
  const duration = new Histogram({
    name: 'patrold_source_survey_duration_seconds',
    help: 'How long surveys of sources took',
    labelNames: ['source'],
    buckets: SURVEY_BUCKETS_SECONDS,
    registers,
  });
  metrics.addReadGauge({
    name: 'patrold_source_survey_outcome',
    help: 'Outcome of the last survey of a source: 1 for the one that it had',
    labelNames: ['source', 'outcome'],
    read: () => lastSurveys().flatMap(outcomeSeries),
  });
  metrics.addReadGauge({
    name: 'patrold_source_last_complete_timestamp_seconds',
    help: 'Start of the last survey of a source in which nothing was missing; absent before there is one',
    labelNames: ['source'],
    read: () => lastSurveys().flatMap(completeSeries),
  });
  return (event) => {
    if (event.kind !== 'source_surveyed') return;
    const { sourceId: source, outcome, durationMs } = event.survey;
    surveys.inc({ source, outcome });
    duration.observe({ source }, secondsOf(durationMs));
  };
};
