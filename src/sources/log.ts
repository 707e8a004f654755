/** The last lines of a thing's log, as a source reads them: bounded, fixed questions about things of its own inventory. */
import type { ResourceKind } from '../../signals/resource.ts';
import type { GapCode } from '../../signals/survey.ts';

export interface LogRequest {
  /** The source's own handle of the thing, as its claims have it. */
  readonly ref: string;
  readonly kind: ResourceKind;
  /** Lines after this instant are left out, so that asking again gives the same. */
  readonly untilMs: number;
  readonly signal: AbortSignal;
}

export interface LogLine {
  /** Null: the source does not tell. */
  readonly atMs: number | null;
  /** As it was written, shortened to `MAX_LOG_LINE_LENGTH`. */
  readonly text: string;
}

export type LogAnswer =
  /** Oldest first, at most `MAX_LOG_LINES`. */
  | { readonly ok: true; readonly lines: readonly LogLine[]; readonly hasEarlier: boolean }
  | { readonly ok: false; readonly code: GapCode; readonly reason: string };

/** Reads logs; does not reject for what it meets. */
export type LogReader = (request: LogRequest) => Promise<LogAnswer>;

/** Enough for what led to a failure; whoever needs more goes to the machine. */
export const MAX_LOG_LINES = 500;
export const MAX_LOG_LINE_LENGTH = 2_000;

/** The newest that may be told, of lines that are oldest first. One more than may be told shows that there is more. */
export const newestLines = (lines: readonly LogLine[]): Extract<LogAnswer, { readonly ok: true }> => ({
  ok: true,
  lines: lines.slice(-MAX_LOG_LINES).map(({ atMs, text }) => ({ atMs, text: text.slice(0, MAX_LOG_LINE_LENGTH) })),
  hasEarlier: lines.length > MAX_LOG_LINES,
});
