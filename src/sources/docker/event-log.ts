/** The engine's events since the last survey, and how far back they can be relied on. */
import type { z } from 'zod';
import type { EngineQuestions } from './ask-engine.ts';
import { dockerLimits } from './docker-limits.ts';
import type { Engine } from './engine.ts';
import { type EngineEvent, eventSchema, toEngineEvent } from './event-schema.ts';
import { failed, type Read } from './read-failure.ts';

/** The newest event that was seen, and since when none was missed. By the engine's clock. */
export interface EventCursor {
  readonly last: Pick<EngineEvent, 'atMs' | 'id' | 'action'> | null;
  readonly knownSinceMs: number;
}

export interface EventLog {
  /** Those that came since, oldest first. */
  readonly events: readonly EngineEvent[];
  readonly cursor: EventCursor;
  /** Whether none was missed since the last survey. */
  readonly unbroken: boolean;
  readonly malformed: number;
}

/** How far the first look goes back: further than that only an engine's own log can tell. */
const FIRST_LOOK_MS = 3_600_000;

/** Podman keeps a journal rather than a ring, so that a filter costs it nothing of its reach. */
const PODMAN_FILTER = JSON.stringify({ type: ['container'], event: ['kill', 'died', 'die', 'stop', 'start'] });

/** `until` is by the engine's clock and not in its future: it would keep the answer open until then. */
export const readEvents = async (
  ask: EngineQuestions,
  engine: Pick<Engine, 'kind' | 'prefix'>,
  before: EventCursor | null,
  untilMs: number,
): Promise<Read<EventLog>> => {
  const sinceMs = before?.last?.atMs ?? before?.knownSinceMs ?? untilMs - FIRST_LOOK_MS;
  const query = {
    // Outward to the millisecond, so that the event at the cursor is part of the answer.
    since: seconds(Math.floor(Math.min(sinceMs, untilMs))),
    until: seconds(Math.ceil(untilMs)),
    ...(engine.kind === 'podman' ? { filters: PODMAN_FILTER } : {}),
  };
  const answer = await ask.text(engine.prefix, '/events', query);
  if (!answer.ok) return answer;
  const parsed = parseEvents(answer.value);
  if (parsed === null) return failed('malformed', `${ask.origin} answered /events with what is no list of events`);
  const met = meeting(before, parsed.events);
  const unbroken = engine.kind === 'podman' ? parsed.events.length < dockerLimits.events : met >= 0;
  const knownSinceMs = unbroken ? (before?.knownSinceMs ?? sinceMs) : (parsed.events[0]?.atMs ?? untilMs);
  const cursor = { last: newest(parsed.events, unbroken ? before : null), knownSinceMs };
  return { ok: true, value: { events: parsed.events.slice(met + 1), malformed: parsed.malformed, unbroken, cursor } };
};

/**
 * Where the newest event of the last survey is among these; -1: it is not. Docker keeps the last 256 events, of every
 * kind, in memory: that none was lost is proven by meeting that one again. Otherwise the ring went round, or the engine
 * was restarted, and only what is left is known.
 */
const meeting = (before: EventCursor | null, events: readonly EngineEvent[]): number => {
  const last = before?.last ?? null;
  if (last === null) return -1;
  return events.findLastIndex(({ atMs, id, action }) => atMs === last.atMs && id === last.id && action === last.action);
};

const seconds = (ms: number): string => (ms / 1_000).toFixed(3);

/** One JSON object a line. Null: not one line can be read. */
const parseEvents = (text: string): { events: readonly EngineEvent[]; malformed: number } | null => {
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  const events = lines
    .slice(-dockerLimits.events)
    .map(parseEvent)
    .filter((event) => event !== null);
  if (lines.length > 0 && events.length === 0) return null;
  return { events, malformed: Math.min(lines.length, dockerLimits.events) - events.length };
};

const parseEvent = (line: string): EngineEvent | null => {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch {
    return null;
  }
  const checked: z.ZodSafeParseResult<z.infer<typeof eventSchema>> = eventSchema.safeParse(value);
  return checked.success ? toEngineEvent(checked.data) : null;
};

const newest = (events: readonly EngineEvent[], before: EventCursor | null): EventCursor['last'] => {
  const last = events.at(-1);
  return last === undefined ? (before?.last ?? null) : { atMs: last.atMs, id: last.id, action: last.action };
};
