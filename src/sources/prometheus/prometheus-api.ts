/** Prometheus' HTTP API as this source needs it: asked by name, so that scenarios can record and replay answers. */
import type { GapCode } from '../../../signals/survey.ts';

export interface AskFailure {
  readonly code: GapCode;
  readonly reason: string;
  /** Nobody answered at all, so that further questions are likely to fail as well. */
  readonly broken: boolean;
}

export type Asked<T> = { readonly ok: true; readonly value: T } | { readonly ok: false; readonly failure: AskFailure };

export interface Question {
  /** Names the answer in a recording; closed set, see `areas/index.ts`. */
  readonly name: string;
  readonly promql: string;
  /** Evaluation time, or the end of the range, by Prometheus' clock. */
  readonly atMs: number;
  readonly range: { readonly spanMs: number; readonly stepMs: number } | null;
  /** The values are themselves instants in seconds that move with the time of the recording. */
  readonly valueIsTime: boolean;
}

export interface NamesQuestion {
  readonly match: readonly string[];
  readonly fromMs: number;
  readonly toMs: number;
}

/** Nothing here rejects. The bodies are what Prometheus sent, parsed as JSON and not yet looked at. */
export interface PrometheusApi {
  /** Where it listens, for people. */
  readonly origin: string;
  /** Its own clock, epoch milliseconds. */
  serverTimeMs(signal: AbortSignal): Promise<Asked<number>>;
  /** Body of the names of all metrics that have samples in the time asked for. */
  metricNames(question: NamesQuestion, signal: AbortSignal): Promise<Asked<unknown>>;
  /** Body of a query or range query; one with `status: error` is an answer too. */
  ask(question: Question, signal: AbortSignal): Promise<Asked<unknown>>;
  /** Body of the active targets. */
  targets(signal: AbortSignal): Promise<Asked<unknown>>;
  close(): void;
}
