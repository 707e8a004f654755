/** What Prometheus answered: the envelope by schema, the samples by hand, since there can be hundreds of thousands. */
import { z } from 'zod';
import type { GapCode } from '../../../signals/survey.ts';
import { redactSecrets } from '../../runtime/redact-secrets.ts';
import { cleanText } from '../../runtime/text.ts';
import type { Asked, AskFailure } from './prometheus-api.ts';
import { prometheusLimits } from './prometheus-limits.ts';

/** As Prometheus writes them, and under `TARGET` the key of the scrape target that they name. */
export type Labels = Readonly<Record<string, string>>;

/** No label of Prometheus' own or of others: names that begin with two underscores are reserved for its insides. */
export const TARGET = '__target__';

export interface Point {
  readonly atMs: number;
  readonly value: number;
}

/** One series of an answer; an instant query gives one point. */
export interface SeriesAnswer {
  readonly labels: Labels;
  /** Oldest first, never empty. */
  readonly points: readonly Point[];
}

/** Why an answer may not be everything; null: it is. */
export type Incomplete = { readonly code: GapCode; readonly reason: string } | null;

export interface Answer {
  readonly series: readonly SeriesAnswer[];
  readonly incomplete: Incomplete;
}

export interface MetricNames {
  readonly present: ReadonlySet<string>;
  readonly incomplete: Incomplete;
}

const text = z.string().max(65_536);
const envelope = z.discriminatedUnion('status', [
  z.looseObject({ status: z.literal('error'), errorType: text.optional(), error: text.optional() }),
  z.looseObject({
    status: z.literal('success'),
    data: z.unknown(),
    warnings: z.array(text).optional(),
  }),
]);
/** Arrays are only known to be some: zod would copy hundreds of thousands of items to learn nothing about them. */
const anyArray = z.custom<readonly unknown[]>((value) => Array.isArray(value));
const result = z.looseObject({ resultType: z.enum(['vector', 'matrix']), result: anyArray });
const names = anyArray;

const failed = (code: GapCode, reason: string): { readonly ok: false; readonly failure: AskFailure } => ({
  ok: false,
  failure: { code, reason: tidy(reason), broken: false },
});

const tidy = (reason: string): string => redactSecrets(cleanText(reason, prometheusLimits.reasonLength));

/** Prometheus' own names of its errors (web/api/v1 of its sources). */
const CODE_OF: Readonly<Record<string, GapCode>> = {
  timeout: 'timed_out',
  canceled: 'timed_out',
  execution: 'failed',
  bad_data: 'not_supported',
};

const open = (body: unknown, what: string): Asked<{ readonly data: unknown; readonly warnings: readonly string[] }> => {
  const read = envelope.safeParse(body);
  if (!read.success) return failed('malformed', `the answer to ${what} is not one of Prometheus: is this its address?`);
  if (read.data.status === 'error') {
    const { errorType = 'error', error = 'no reason given' } = read.data;
    return failed(CODE_OF[errorType] ?? 'failed', `Prometheus could not answer ${what} (${errorType}): ${error}`);
  }
  // Notes on the query itself came in `warnings` before there was `infos` (2.53); they say nothing about the data.
  const warnings = (read.data.warnings ?? []).filter((warning) => !/^PromQL info/i.test(warning));
  return { ok: true, value: { data: read.data.data, warnings } };
};

/** A number as Prometheus writes it; NaN and infinities are no measurement. */
const toNumber = (value: unknown): number => (typeof value === 'string' && value !== '' ? Number(value) : Number.NaN);

const toPoint = (pair: unknown): Point | 'malformed' | 'no_number' => {
  if (!Array.isArray(pair) || pair.length < 2 || typeof pair[0] !== 'number' || typeof pair[1] !== 'string')
    return 'malformed';
  if (!Number.isFinite(pair[0])) return 'malformed';
  const value = toNumber(pair[1]);
  return Number.isFinite(value)
    ? { atMs: Math.round(pair[0] * 1000), value }
    : Number.isNaN(value) && pair[1] !== 'NaN'
      ? 'malformed'
      : 'no_number';
};

const isLabels = (value: unknown): value is Labels => {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
  for (const name in value) if (typeof (value as Record<string, unknown>)[name] !== 'string') return false;
  return true;
};

/** Label sets repeat few values many times: each is kept once, and each target's key is made once. */
const createLabelKeeper = (): ((metric: Labels) => Labels) => {
  const texts = new Map<string, string>();
  const keep = (text: string): string => {
    const known = texts.get(text);
    if (known !== undefined) return known;
    texts.set(text, text);
    return text;
  };
  const targets = new Map<string, Map<string, string>>();
  const targetOf = (job: string, instance: string): string => {
    let instances = targets.get(job);
    if (instances === undefined) {
      instances = new Map();
      targets.set(job, instances);
    }
    let key = instances.get(instance);
    if (key === undefined) {
      key = `${job}\n${instance}`;
      instances.set(instance, key);
    }
    return key;
  };
  return (metric) => {
    const labels: Record<string, string> = {};
    for (const name in metric) labels[name] = keep(metric[name] ?? '');
    labels[TARGET] = targetOf(labels['job'] ?? '', labels['instance'] ?? '');
    return labels;
  };
};

const toSeries = (item: unknown, keep: (metric: Labels) => Labels): SeriesAnswer | 'malformed' | 'no_number' => {
  if (typeof item !== 'object' || item === null) return 'malformed';
  const { metric, value, values } = item as Record<string, unknown>;
  if (!isLabels(metric)) return 'malformed';
  const pairs = Array.isArray(values) ? values : [value];
  const points: Point[] = [];
  let malformed = false;
  for (const pair of pairs) {
    const point = toPoint(pair);
    if (point === 'malformed') malformed = true;
    else if (point !== 'no_number') points.push(point);
  }
  if (points.length > 0) return { labels: keep(metric), points };
  return malformed ? 'malformed' : 'no_number';
};

/** Reads the body of a query; bad samples are dropped and said, the rest is kept. */
export const readAnswer = (body: unknown, what: string): Asked<Answer> => {
  const opened = open(body, what);
  if (!opened.ok) return opened;
  const data = result.safeParse(opened.value.data);
  if (!data.success) return failed('malformed', `the answer to ${what} holds neither a vector nor a matrix`);
  const series: SeriesAnswer[] = [];
  const keep = createLabelKeeper();
  let dropped = 0;
  for (const item of data.data.result.slice(0, prometheusLimits.series)) {
    const one = toSeries(item, keep);
    if (one === 'malformed') dropped += 1;
    else if (one !== 'no_number') series.push(one);
  }
  const { warnings } = opened.value;
  const [warning] = warnings;
  if (warning !== undefined) {
    const reason = tidy(`Prometheus says that its answer to ${what} is not whole: ${warning}`);
    return { ok: true, value: { series, incomplete: { code: 'cut_short', reason } } };
  }
  if (data.data.result.length > prometheusLimits.series) {
    const reason = `the answer to ${what} has more than ${prometheusLimits.series} series: narrow it with match`;
    return { ok: true, value: { series, incomplete: { code: 'cut_short', reason } } };
  }
  const reason = `${dropped} of ${data.data.result.length} series in the answer to ${what} are not understood`;
  return { ok: true, value: { series, incomplete: dropped === 0 ? null : { code: 'malformed', reason } } };
};

/** Reads the body of the list of metric names. */
export const readNames = (body: unknown): Asked<MetricNames> => {
  const opened = open(body, 'the list of metrics');
  if (!opened.ok) return opened;
  const data = names.safeParse(opened.value.data);
  if (!data.success) return failed('malformed', 'the list of metrics is no list');
  const [warning] = opened.value.warnings;
  const reason =
    warning === undefined ? null : tidy(`Prometheus says that its list of metrics is not whole: ${warning}`);
  const present = new Set(data.data.filter((name) => typeof name === 'string'));
  return { ok: true, value: { present, incomplete: reason === null ? null : { code: 'cut_short', reason } } };
};

const target = z.looseObject({
  labels: z.record(z.string(), z.string()),
  lastError: z.string().optional(),
});

/** The last scrape error of each target that has one, by job and instance. What can't be read is left out. */
export const readTargetErrors = (body: unknown): ReadonlyMap<string, string> => {
  const errors = new Map<string, string>();
  const opened = open(body, 'the list of targets');
  if (!opened.ok) return errors;
  const data = z.looseObject({ activeTargets: z.array(z.unknown()) }).safeParse(opened.value.data);
  for (const item of data.data?.activeTargets ?? []) {
    const { labels, lastError = '' } = target.safeParse(item).data ?? { labels: {} };
    if (lastError !== '') errors.set(targetKey(labels), tidy(lastError));
  }
  return errors;
};

/** Identifies a scrape target within one Prometheus. */
export const targetKey = (labels: Labels): string =>
  labels[TARGET] ?? `${labels['job'] ?? ''}\n${labels['instance'] ?? ''}`;
