/** Which of the listed containers are looked at. */
import { stableName } from './container-name.ts';
import type { Listed } from './container-schema.ts';
import { dockerLimits } from './docker-limits.ts';
import { matchesPattern } from './name-pattern.ts';

export interface NamedContainer {
  readonly name: string;
  readonly listed: Listed;
}

export interface Choice {
  readonly containers: readonly NamedContainer[];
  /** Over the limit and therefore not looked at. */
  readonly leftOut: number;
}

/** The one in use wins: a running one before one that is not, then the newer. */
const outranks = (a: Listed, b: Listed): boolean => {
  const running = Number(a.State === 'running') - Number(b.State === 'running');
  return running === 0 ? a.Created > b.Created : running > 0;
};

/**
 * One container a name: of several that bear one (finished tasks of a Swarm slot, a container that Compose is replacing)
 * the one in use. Sorted by name, so that what a limit leaves out is the same in each survey.
 */
export const chooseContainers = (all: readonly Listed[], ignore: readonly string[]): Choice => {
  const byName = new Map<string, Listed>();
  for (const listed of all) {
    const name = stableName(listed);
    if (ignore.some((pattern) => matchesPattern(pattern, name))) continue;
    const known = byName.get(name);
    if (known === undefined || outranks(listed, known)) byName.set(name, listed);
  }
  const containers = [...byName].map(([name, listed]) => ({ name, listed }));
  containers.sort((a, b) => (a.name < b.name ? -1 : 1));
  return {
    containers: containers.slice(0, dockerLimits.containers),
    leftOut: Math.max(0, containers.length - dockerLimits.containers),
  };
};
