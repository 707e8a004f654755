/** One container: its inspection, and its counters if it runs. */
import type { EngineQuestions } from './ask-engine.ts';
import type { NamedContainer } from './choose-containers.ts';
import { type Inspected, inspectedSchema } from './container-schema.ts';
import { containerState } from './container-state.ts';
import type { Engine } from './engine.ts';
import { instantMs } from './instant.ts';
import type { Read, ReadFailure } from './read-failure.ts';
import { type Stats, statsSchema } from './stats-schema.ts';

export interface Counters {
  readonly stats: Stats;
  /** By the engine's clock. */
  readonly readAtMs: number;
  /** By ours. */
  readonly seenAtMs: number;
}

/** `stopped`: it runs no more since it was inspected. */
export type CountersRead = Read<Counters> | 'gone' | 'stopped';

export interface Look {
  readonly container: NamedContainer;
  /** `gone`: removed since it was listed, which is no failure. */
  readonly inspected: Read<Inspected> | 'gone';
  /** Null: nothing to count. */
  readonly counters: Read<Counters> | 'stopped' | null;
  /** When it was inspected, by our clock. */
  readonly atMs: number;
}

interface LookDeps {
  readonly ask: EngineQuestions;
  readonly engine: Pick<Engine, 'prefix' | 'oneShotStats' | 'osType'>;
  readonly nowMs: () => number;
}

const isGone = (failure: ReadFailure): boolean => failure.status === 404;

/**
 * Only what runs is counted: the counters of a paused container can keep an answer open for half a minute (a probe that
 * was caught by the pause holds the engine's lock), and say nothing new. Windows counts in other units.
 */
export const hasCounters = (inspected: Inspected, osType: string): boolean =>
  osType !== 'windows' && containerState(inspected.State.Status) === 'running';

export const readCounters = async (deps: LookDeps, id: string): Promise<CountersRead> => {
  // Without one-shot the engine waits for a second sample of its own, 1 to 2 seconds for each container.
  const query = { stream: 'false', ...(deps.engine.oneShotStats ? { 'one-shot': 'true' } : {}) };
  const read = await deps.ask.json(deps.engine.prefix, `/containers/${id}/stats`, query, statsSchema);
  if (!read.ok) return isGone(read.failure) ? 'gone' : read;
  const readAtMs = instantMs(read.value.read);
  return readAtMs === null ? 'stopped' : { ok: true, value: { stats: read.value, readAtMs, seenAtMs: deps.nowMs() } };
};

/** `known`: an inspection that still holds. */
export const lookAtContainer = async (
  deps: LookDeps,
  container: NamedContainer,
  known: Inspected | null,
): Promise<Look> => {
  const { Id: id } = container.listed;
  const path = `/containers/${id}/json`;
  const read: Read<Inspected> =
    known === null ? await deps.ask.json(deps.engine.prefix, path, {}, inspectedSchema) : { ok: true, value: known };
  const atMs = deps.nowMs();
  if (!read.ok) return { container, inspected: isGone(read.failure) ? 'gone' : read, counters: null, atMs };
  if (!hasCounters(read.value, deps.engine.osType)) return { container, inspected: read, counters: null, atMs };
  const counters = await readCounters(deps, id);
  if (counters === 'gone') return { container, inspected: 'gone', counters: null, atMs };
  return { container, inspected: read, counters, atMs };
};
