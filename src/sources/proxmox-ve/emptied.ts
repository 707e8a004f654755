/** A list that is empty where it was not is not believed the first time: lists are filtered by rights. */
import { z } from 'zod';
import type { SourceState } from '../source.ts';

const STATE_KEY = 'emptied';
/** How many there were; negative: so many were there, and the list has been empty once. */
const countsSchema = z.record(z.string(), z.number());

/** Whether the answer is to be doubted. Call it once for each read of the list. */
export const isDoubtful = (state: SourceState, list: string, count: number): boolean => {
  const counts = countsSchema.safeParse(state.get(STATE_KEY)).data ?? {};
  const before = counts[list] ?? 0;
  const doubtful = count === 0 && before > 0;
  state.set(STATE_KEY, { ...counts, [list]: doubtful ? -before : count });
  return doubtful;
};
