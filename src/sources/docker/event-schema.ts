/** What is read of one event; lenient about everything else. */
import { z } from 'zod';

export const eventSchema = z.object({
  Type: z.string().max(100),
  Action: z.string().max(10_000),
  Actor: z.object({
    ID: z.string().max(1_000),
    Attributes: z.record(z.string(), z.string()).nullish(),
  }),
  /** Epoch nanoseconds, beyond what a double holds exactly: good to about a quarter of a microsecond. */
  timeNano: z.number().positive(),
});

/** One event as the rest of this source sees it. */
export interface EngineEvent {
  readonly type: string;
  readonly action: string;
  readonly id: string;
  /** By the engine's clock, with a fraction. */
  readonly atMs: number;
  /** Number of the signal of a `kill`; null where the engine does not tell. */
  readonly signal: number | null;
}

export const toEngineEvent = (event: z.infer<typeof eventSchema>): EngineEvent => {
  const signal = Number.parseInt(event.Actor.Attributes?.['signal'] ?? '', 10);
  return {
    type: event.Type,
    action: event.Action,
    id: event.Actor.ID,
    atMs: event.timeNano / 1e6,
    signal: Number.isNaN(signal) ? null : signal,
  };
};
