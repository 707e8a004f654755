/** Containers that provably have not changed since they were last inspected, so that they need not be asked for again. */
import { z } from 'zod';
import { type Inspected, inspectedSchema, type Listed } from './container-schema.ts';
import { containerState } from './container-state.ts';
import { dockerLimits } from './docker-limits.ts';

export interface KeptInspection {
  readonly inspected: Inspected;
  /** By the engine's clock. */
  readonly atMs: number;
}

export type KeptInspections = Readonly<Record<string, KeptInspection>>;

export const keptInspectionsSchema = z.record(z.string(), z.object({ inspected: inspectedSchema, atMs: z.number() }));

/** The list rounds to hours from 60 minutes on (docker/go-units, duration.go); below, an exit since then would hide. */
const KEPT_FOR_MS = 45 * 60_000;
const HOURS_OR_MORE = /\b(?:an hour|hours|days|weeks|months|years) ago$/;

/**
 * The inspection that still holds: the container was not running then and is not now, and the list dates its exit to
 * hours ago, before that inspection. Null: ask again.
 */
export const stillHolds = (kept: KeptInspection | undefined, listed: Listed, nowMs: number): Inspected | null => {
  if (kept === undefined || nowMs < kept.atMs || nowMs - kept.atMs > KEPT_FOR_MS) return null;
  const state = containerState(listed.State);
  if (state !== 'exited' || containerState(kept.inspected.State.Status) !== state) return null;
  return HOURS_OR_MORE.test(listed.Status ?? '') ? kept.inspected : null;
};

/** What is worth keeping, without probe outputs, which nobody reads of a container that is down. */
export const keepInspections = (seen: readonly KeptInspection[]): KeptInspections => {
  const settled = seen.filter(({ inspected }) => containerState(inspected.State.Status) === 'exited');
  return Object.fromEntries(
    settled.slice(0, dockerLimits.keptInspections).map(({ inspected, atMs }) => {
      const { Health: _health, ...State } = inspected.State;
      const startError = State.Error?.slice(0, dockerLimits.reasonLength);
      return [inspected.Id, { inspected: { ...inspected, State: { ...State, Error: startError } }, atMs }];
    }),
  );
};
