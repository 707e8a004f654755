/** What the questions of one survey are written from. */
import type { SourceState, SurveyRequest } from '../source.ts';
import type { QueryContext } from './named-query.ts';
import { selectorWith } from './promql.ts';
import { rememberedUnits } from './remembered-units.ts';

/** Where limits ask for no window: long enough for a rate at a scrape a minute. */
const DEFAULT_WINDOW_MS = 5 * 60_000;
/** How far back the first survey looks for events. */
const FIRST_LOOK_MS = 3_600_000;
const EVALUATED_KEY = 'evaluated-at-ms';

const longest = (windowsMs: readonly number[]): number => Math.max(60_000, windowsMs.at(-1) ?? DEFAULT_WINDOW_MS);

export interface ContextInput {
  readonly match: readonly string[];
  readonly state: SourceState;
  readonly request: SurveyRequest;
  /** By Prometheus' clock. */
  readonly atMs: number;
  readonly clockOffsetMs: number;
}

export const surveyContext = ({ match, state, request, atMs, clockOffsetMs }: ContextInput): QueryContext => {
  const { cpu, memory, temperature } = request.windowsMs;
  return {
    select: selectorWith(match),
    windowMs: { cpu: longest(cpu), memory: longest(memory), temperature: longest(temperature) },
    eventsSinceMs: Math.min(atMs, eventsSince(state, request, atMs, clockOffsetMs)),
    unitNames: [...new Set(rememberedUnits(state, atMs).map(({ name }) => name))],
  };
};

/** The instant that the survey before was evaluated at, where it is known; else when it ran, by Prometheus' clock. */
const eventsSince = (
  state: SourceState,
  { lastSurveyAtMs }: SurveyRequest,
  atMs: number,
  clockOffsetMs: number,
): number => {
  if (lastSurveyAtMs === null) return atMs - FIRST_LOOK_MS;
  const evaluatedAtMs = state.get(EVALUATED_KEY);
  return typeof evaluatedAtMs === 'number' ? evaluatedAtMs : lastSurveyAtMs + clockOffsetMs;
};

/** Call when events were really looked for up to `atMs`. */
export const keepEvaluated = (state: SourceState, atMs: number): void => state.set(EVALUATED_KEY, atMs);
