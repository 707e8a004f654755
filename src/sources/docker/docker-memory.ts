/** What the source remembers from one survey to the next. All of it can be lost: it only has to be learnt again. */
import { z } from 'zod';
import type { SourceState } from '../source.ts';
import type { CpuCount } from './cpu-use.ts';
import type { EventCursor } from './event-log.ts';
import { type KeptInspections, keptInspectionsSchema } from './settled.ts';
import type { StopRequests } from './stop-requests.ts';

export interface DockerMemory {
  /** By container id. */
  readonly cpu: Readonly<Record<string, CpuCount>>;
  readonly stops: StopRequests;
  readonly cursor: EventCursor | null;
  readonly inspections: KeptInspections;
}

const cpuSchema = z.record(
  z.string(),
  z.object({ usedMs: z.number(), atMs: z.number(), seenAtMs: z.number(), startedAtMs: z.number().nullable() }),
);
const stopsSchema = z.record(
  z.string(),
  z.object({
    pendingAtMs: z.number().nullable(),
    stoppedAtMs: z.number().nullable(),
    endedBy: z.enum(['request', 'itself']).nullable(),
    endedAtMs: z.number().nullable(),
  }),
);
const cursorSchema = z.object({
  last: z.object({ atMs: z.number(), id: z.string(), action: z.string() }).nullable(),
  knownSinceMs: z.number(),
});

/** What does not fit (another version wrote it) is as good as forgotten. */
const recall = <T>(state: SourceState, key: string, schema: z.ZodType<T>, forgotten: T): T => {
  const checked = schema.safeParse(state.get(key));
  return checked.success ? checked.data : forgotten;
};

export const recallMemory = (state: SourceState): DockerMemory => ({
  cpu: recall(state, 'cpu', cpuSchema, {}),
  stops: recall(state, 'stops', stopsSchema, {}),
  cursor: recall<EventCursor | null>(state, 'cursor', cursorSchema, null),
  inspections: recall<KeptInspections>(state, 'inspections', keptInspectionsSchema, {}),
});

export const keepMemory = (state: SourceState, memory: DockerMemory): void => {
  state.set('cpu', memory.cpu);
  state.set('stops', memory.stops);
  state.set('cursor', memory.cursor);
  state.set('inspections', memory.inspections);
};
