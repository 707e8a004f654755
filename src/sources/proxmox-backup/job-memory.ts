/** How the last finished run of each job ended, kept for while it runs again and the server tells no more. */
import { z } from 'zod';
import type { SourceState } from '../source.ts';

const kept = z.object({
  /** When it was first seen: what never ran is due from then on. */
  seenAtMs: z.number(),
  lastRun: z
    .object({
      startedAtMs: z.number().nullable(),
      endedAtMs: z.number(),
      outcome: z.enum(['ok', 'warnings', 'failed']),
      reason: z.string().nullable(),
    })
    .nullable(),
});
export type KeptJob = z.infer<typeof kept>;

const STATE_KEY = 'jobs';

export const recallJobs = (state: SourceState): ReadonlyMap<string, KeptJob> =>
  new Map(Object.entries(z.record(z.string(), kept).safeParse(state.get(STATE_KEY)).data ?? {}));

export const keepJobs = (state: SourceState, jobs: ReadonlyMap<string, KeptJob>): void =>
  state.set(STATE_KEY, Object.fromEntries(jobs));
