/** Who was stopped on purpose, as far as the engine's events tell. */
import type { EngineEvent } from './event-schema.ts';

/** What is known of one container's last stop. By the engine's clock. */
export interface StopRequest {
  /** A signal that ends a container was sent through the API, and it has not ended yet. */
  readonly pendingAtMs: number | null;
  /** The request that it last ended by. */
  readonly stoppedAtMs: number | null;
  /** What its last end came from; null: it was started since, or nothing is known. */
  readonly endedBy: 'request' | 'itself' | null;
  /** When it last ended; null: not known. */
  readonly endedAtMs: number | null;
}

export type StopRequests = Readonly<Record<string, StopRequest>>;

const NONE: StopRequest = { pendingAtMs: null, stoppedAtMs: null, endedBy: null, endedAtMs: null };

/** HUP, WINCH, USR1 and their like are messages; a `stop` with one of them as the image's stop signal has an event of its own. */
const ENDING_SIGNALS: readonly number[] = [2, 3, 9, 15];

/**
 * A container that ends later than this after a signal went its own way. Longer graces are told by the `stop` event,
 * which comes at the end of `docker stop` however long that took.
 */
export const SIGNAL_COUNTS_FOR_MS = 600_000;

const soonAfter = (requestedAtMs: number | null, atMs: number): boolean =>
  requestedAtMs !== null && atMs - requestedAtMs <= SIGNAL_COUNTS_FOR_MS;

/**
 * The engine logs a signal after it was sent, now and then after the end that it caused. What is down is sent none, so
 * a signal that is logged then belongs to that end.
 */
const afterSignal = (before: StopRequest, atMs: number): StopRequest => {
  if (before.endedBy === 'itself') return { ...before, stoppedAtMs: before.endedAtMs, endedBy: 'request' };
  if (before.endedBy === 'request') return before;
  // TERM and, after the grace, KILL are one request: the first counts.
  return soonAfter(before.pendingAtMs, atMs) ? before : { ...before, pendingAtMs: atMs };
};

const afterEvent = (before: StopRequest, event: EngineEvent): StopRequest => {
  switch (event.action) {
    case 'kill':
      return event.signal !== null && !ENDING_SIGNALS.includes(event.signal) ? before : afterSignal(before, event.atMs);
    case 'die':
      return soonAfter(before.pendingAtMs, event.atMs)
        ? { pendingAtMs: null, stoppedAtMs: before.pendingAtMs, endedBy: 'request', endedAtMs: event.atMs }
        : { ...before, pendingAtMs: null, endedBy: 'itself', endedAtMs: event.atMs };
    case 'stop': {
      // The end of `docker stop`, and all that tells of one that met a container between two restarts.
      const known = before.pendingAtMs ?? (before.endedBy === 'request' ? before.stoppedAtMs : null);
      return { ...before, pendingAtMs: null, stoppedAtMs: known ?? event.atMs, endedBy: 'request' };
    }
    case 'start':
      return before === NONE ? before : { ...before, pendingAtMs: null, endedBy: null };
    default:
      return before;
  }
};

/** `before` with what the events add, oldest first. Only containers in `keep` are kept. */
export const foldStopRequests = (
  before: StopRequests,
  events: readonly EngineEvent[],
  keep: ReadonlySet<string>,
): StopRequests => {
  const requests = new Map(Object.entries(before).filter(([id]) => keep.has(id)));
  for (const event of events) {
    if (event.type !== 'container' || !keep.has(event.id)) continue;
    const known = requests.get(event.id) ?? NONE;
    const next = afterEvent(known, event);
    if (next !== known) requests.set(event.id, next);
  }
  return Object.fromEntries(requests);
};

/** After events were missed: what was asked for still was, but which end it belongs to is no longer known. */
export const afterMissedEvents = (requests: StopRequests): StopRequests =>
  Object.fromEntries(
    Object.entries(requests).map(([id, request]) => [id, { ...request, endedBy: null, endedAtMs: null }]),
  );

/** The last stop that somebody asked for; a signal counts while the container may still be ending by it. */
export const requestedAtMs = (request: StopRequest | undefined, nowMs: number): number | null => {
  if (request === undefined) return null;
  const pending = soonAfter(request.pendingAtMs, nowMs) ? request.pendingAtMs : null;
  return pending ?? request.stoppedAtMs;
};
