/** Which checks are due: those with an interval of their own are not asked in every watch. */
import { z } from 'zod';
import type { Pace } from '../source.ts';
import type { Check } from './check.ts';

const KEY = 'probedAtMs';
/** Watches come with some jitter; a check that is due a few seconds later is due now. */
const SLACK_MS = 15_000;

const probedAtSchema = z.record(z.string(), z.number()).catch({});

interface DueDeps {
  readonly state: { get(key: string): unknown; set(key: string, value: unknown): void };
  readonly paces: readonly Pace[];
  readonly nowMs: number;
}

export interface Due {
  isDue(check: Check): boolean;
  /** Remembers that these were asked now. */
  record(asked: readonly Check[]): void;
}

export const createDue = ({ state, paces, nowMs }: DueDeps): Due => {
  const probedAt = probedAtSchema.parse(state.get(KEY) ?? {});
  return {
    isDue: ({ name, intervalMs }) => {
      const last = probedAt[name];
      // A patrol looks at everything; a time in the future is that of a clock that has jumped.
      if (intervalMs === null || last === undefined || last > nowMs) return true;
      return paces.some((pace) => pace !== 'fast') || nowMs - last >= intervalMs - SLACK_MS;
    },
    record: (asked) => {
      const slow = asked.filter(({ intervalMs }) => intervalMs !== null);
      if (slow.length === 0) return;
      state.set(KEY, { ...probedAt, ...Object.fromEntries(slow.map(({ name }) => [name, nowMs])) });
    },
  };
};
