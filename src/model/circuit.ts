/** Leaves a provider alone that fails: opened by failures, tried again one request at a time, closed by successes. */
import type { Clock } from '../runtime/clock.ts';
import { ModelFailure, type ModelFailureKind } from './model-failure.ts';

export const CIRCUIT_LIMITS = {
  /** Failures in a row that open it; a rate limit does at once. */
  failuresToOpen: 3,
  successesToClose: 2,
  /** How long it is open at first; each time that a trial fails twice as long, up to the longest. */
  firstOpenMs: 5_000,
  longestOpenMs: 300_000,
} as const;

/** These say that the provider is not well; the others that it is, and did not like what it was asked. */
const COUNTED: ReadonlySet<ModelFailureKind> = new Set([
  'unreachable',
  'timed_out',
  'rate_limited',
  'overloaded',
  'bad_answer',
]);

type State =
  | { readonly kind: 'closed'; readonly failures: number }
  | { readonly kind: 'open'; readonly untilMs: number; readonly openForMs: number }
  | { readonly kind: 'trying'; readonly successes: number; readonly openForMs: number; readonly busy: boolean };

export interface Circuit {
  /** Throws `circuit_open`; else the request's end has to be told, once. */
  enter(): (outcome: 'succeeded' | ModelFailure) => void;
  state(): State['kind'];
  /** Until it lets the next request through; 0 when it does. */
  waitMs(): number;
}

const afterFailure = (state: State, failure: ModelFailure, nowMs: number): State => {
  const askedMs = failure.retryAfterMs;
  const open = (openForMs: number): State => {
    // What the provider asks for is kept to, also where it is longer than patrold would wait.
    const ms = Math.max(askedMs ?? 0, openForMs);
    return { kind: 'open', untilMs: nowMs + ms, openForMs };
  };
  switch (state.kind) {
    case 'closed': {
      const failures = state.failures + 1;
      if (failure.kind === 'rate_limited') return open(askedMs === null ? CIRCUIT_LIMITS.firstOpenMs : 0);
      return failures < CIRCUIT_LIMITS.failuresToOpen ? { kind: 'closed', failures } : open(CIRCUIT_LIMITS.firstOpenMs);
    }
    case 'trying':
      return open(Math.min(Math.max(2 * state.openForMs, CIRCUIT_LIMITS.firstOpenMs), CIRCUIT_LIMITS.longestOpenMs));
    case 'open':
      // A request that was under way when it opened.
      return { ...state, untilMs: Math.max(state.untilMs, nowMs + (askedMs ?? 0)) };
  }
};

const afterSuccess = (state: State): State => {
  switch (state.kind) {
    case 'closed':
      return { kind: 'closed', failures: 0 };
    case 'trying': {
      const successes = state.successes + 1;
      return successes < CIRCUIT_LIMITS.successesToClose
        ? { ...state, successes, busy: false }
        : { kind: 'closed', failures: 0 };
    }
    case 'open':
      return state;
  }
};

export const createCircuit = (clock: Pick<Clock, 'monotonicMs'>, origin: string): Circuit => {
  let state: State = { kind: 'closed', failures: 0 };

  const settle = (outcome: 'succeeded' | ModelFailure): void => {
    if (outcome === 'succeeded') state = afterSuccess(state);
    else if (COUNTED.has(outcome.kind)) state = afterFailure(state, outcome, clock.monotonicMs());
    // Cancelled: nothing is known; the next one tries. Refused by a provider that is well.
    else if (outcome.kind === 'cancelled') state = state.kind === 'trying' ? { ...state, busy: false } : state;
    else state = afterSuccess(state);
  };

  const waitMs = (): number => (state.kind === 'open' ? Math.max(0, state.untilMs - clock.monotonicMs()) : 0);

  return {
    state: () => state.kind,
    waitMs,
    enter: () => {
      const leftMs = waitMs();
      const isBusy = state.kind === 'trying' && state.busy;
      if (leftMs > 0 || isBusy) {
        const until = isBusy ? 'one request tries it' : `the next try is in ${Math.ceil(leftMs / 1_000)} s`;
        throw new ModelFailure('circuit_open', `${origin} failed and is left alone for now: ${until}`, {
          retryAfterMs: leftMs,
        });
      }
      if (state.kind === 'open') state = { kind: 'trying', successes: 0, openForMs: state.openForMs, busy: true };
      else if (state.kind === 'trying') state = { ...state, busy: true };
      let isOpen = true;
      return (outcome) => {
        if (isOpen) settle(outcome);
        isOpen = false;
      };
    },
  };
};

export interface Circuits {
  /** The one circuit of a provider, for as long as the process lives, whatever is configured anew. */
  of(origin: string): Circuit;
  all(): readonly { readonly origin: string; readonly circuit: Circuit }[];
}

export const createCircuits = (clock: Pick<Clock, 'monotonicMs'>): Circuits => {
  const circuits = new Map<string, Circuit>();
  return {
    of: (origin) => {
      const circuit = circuits.get(origin) ?? createCircuit(clock, origin);
      circuits.set(origin, circuit);
      return circuit;
    },
    all: () => [...circuits].map(([origin, circuit]) => ({ origin, circuit })),
  };
};
