/**
 * Prometheus as it was recorded: a directory with the body of each answer in `<name of its question>.json`, beside
 * `metric_names.json` and `targets.json`. A question that was not recorded has an empty answer; without
 * `metric_names.json` every metric that a recorded answer needs counts as present. Texts may hold the tokens of
 * `recording-text.ts`.
 */
import { access, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { replayText } from '../host/recording-text.ts';
import { namedQueries } from './areas/index.ts';
import type { Asked, PrometheusApi, Question } from './prometheus-api.ts';

export const NAMES_FILE = 'metric_names.json';
export const TARGETS_FILE = 'targets.json';

export interface RecordedPrometheusApiOptions {
  readonly directory: string;
  /** When the answers were recorded, by Prometheus' clock. */
  readonly recordedAtMs: number;
  /**
   * The clock of the replay. The times of samples, and values that are times of samples, move on with it; other values
   * stay: a boot, or the end of a certificate, happens when it was recorded to.
   */
  readonly nowMs: () => number;
}

const EMPTY_VECTOR = { status: 'success', data: { resultType: 'vector', result: [] } } as const;
const EMPTY_MATRIX = { status: 'success', data: { resultType: 'matrix', result: [] } } as const;

type Json = Readonly<Record<string, unknown>>;

const isRecord = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** What is no pair of time and value is left as it is: recorded nonsense is replayed as such. */
const movePair = (pair: unknown, byS: number, valueIsTime: boolean): unknown => {
  if (!Array.isArray(pair) || typeof pair[0] !== 'number') return pair;
  const [at, value, ...rest] = pair as [number, unknown, ...unknown[]];
  const moved = valueIsTime && typeof value === 'string' ? String(Number(value) + byS) : value;
  return [at + byS, moved, ...rest];
};

const moveSeries = (item: unknown, byS: number, valueIsTime: boolean): unknown => {
  if (!isRecord(item)) return item;
  const { value, values } = item;
  return {
    ...item,
    ...(value === undefined ? {} : { value: movePair(value, byS, valueIsTime) }),
    ...(Array.isArray(values) ? { values: values.map((pair: unknown) => movePair(pair, byS, valueIsTime)) } : {}),
  };
};

/** The body with its times moved on by `byMs`. */
export const moveTimes = (body: unknown, byMs: number, valueIsTime: boolean): unknown => {
  if (byMs === 0 || !isRecord(body) || !isRecord(body['data'])) return body;
  const { result } = body['data'];
  if (!Array.isArray(result)) return body;
  const moved = result.map((item: unknown) => moveSeries(item, byMs / 1000, valueIsTime));
  return { ...body, data: { ...body['data'], result: moved } };
};

export const createRecordedPrometheusApi = ({
  directory,
  recordedAtMs,
  nowMs,
}: RecordedPrometheusApiOptions): PrometheusApi => {
  /** Null: not recorded. */
  const read = async (file: string): Promise<Asked<unknown> | null> => {
    let text: string;
    try {
      text = await readFile(join(directory, file), 'utf8');
    } catch {
      return null;
    }
    try {
      return { ok: true, value: JSON.parse(replayText(text, { recordedAtMs, nowMs: nowMs() })) };
    } catch {
      return { ok: false, failure: { code: 'malformed', reason: `the recorded ${file} is not JSON`, broken: false } };
    }
  };
  const isRecorded = (name: string): Promise<boolean> =>
    access(join(directory, `${name}.json`)).then(
      () => true,
      () => false,
    );
  const namesOfRecorded = async (): Promise<Asked<unknown>> => {
    const present = new Set<string>();
    for (const { name, needs, oneOf = [] } of namedQueries) {
      if (await isRecorded(name)) for (const metric of [...needs, ...oneOf]) present.add(metric);
    }
    return { ok: true, value: { status: 'success', data: [...present] } };
  };
  const ask = async ({ name, range, valueIsTime }: Question): Promise<Asked<unknown>> => {
    const body = await read(`${name}.json`);
    if (body === null) return { ok: true, value: range === null ? EMPTY_VECTOR : EMPTY_MATRIX };
    return body.ok ? { ok: true, value: moveTimes(body.value, nowMs() - recordedAtMs, valueIsTime) } : body;
  };
  return {
    origin: 'recorded',
    serverTimeMs: () => Promise.resolve({ ok: true, value: nowMs() }),
    metricNames: async () => (await read(NAMES_FILE)) ?? namesOfRecorded(),
    ask,
    targets: async () =>
      (await read(TARGETS_FILE)) ?? { ok: true, value: { status: 'success', data: { activeTargets: [] } } },
    close: () => undefined,
  };
};
