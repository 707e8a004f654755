/** The engine's words for a container's state, as the reading's and as the one status vocabulary. */
import type { ContainerReading } from '../../../signals/reading.ts';
import type { ResourceStatus } from '../../../signals/resource.ts';

export type ContainerState = ContainerReading['state'];
export type ContainerHealth = ContainerReading['health'];

/** Docker's seven, and those that some versions of Podman let through (libpod/define/containerstate.go). */
const STATES: ReadonlyMap<string, ContainerState> = new Map([
  ['created', 'created'],
  ['configured', 'created'],
  ['initialized', 'created'],
  ['running', 'running'],
  ['stopping', 'running'],
  ['paused', 'paused'],
  ['restarting', 'restarting'],
  ['removing', 'removing'],
  ['exited', 'exited'],
  ['stopped', 'exited'],
  ['dead', 'dead'],
]);

/** Null: a word that is not known, and therefore says nothing. */
export const containerState = (word: string): ContainerState | null => STATES.get(word.toLowerCase()) ?? null;

export const containerStatus = (state: ContainerState | null, health: ContainerHealth): ResourceStatus => {
  switch (state) {
    case null:
      return 'unknown';
    case 'running':
      if (health === 'unhealthy') return 'degraded';
      return health === 'starting' ? 'starting' : 'running';
    case 'paused':
      return 'paused';
    case 'restarting':
    case 'dead':
      return 'failed';
    case 'created':
    case 'exited':
    case 'removing':
      return 'stopped';
  }
};
