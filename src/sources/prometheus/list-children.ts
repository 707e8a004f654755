/** Says of which hosts all things of a kind were seen. */
import type { ResourceKind } from '../../../signals/resource.ts';
import type { Host } from './hosts.ts';
import { isWhole, type SurveyWorld } from './survey-world.ts';
import { hostPartOf } from './targets.ts';

export interface ListedChildren {
  readonly kind: ResourceKind;
  /** All questions that tell of such things. */
  readonly queries: readonly string[];
  /** node_exporter's collectors that must not have failed there. */
  readonly collectors?: readonly string[];
}

/** A host's list is whole where every exporter on it answers and no collector of the kind failed. */
export const listChildren = (world: SurveyWorld, { kind, queries, collectors = [] }: ListedChildren): void => {
  if (!isWhole(world, 'targets_up', 'node_uname', ...queries)) return;
  const troubled = new Set(world.targets.all.filter(({ up }) => !up).map(({ instance }) => hostPartOf(instance)));
  const isSettled = ({ isDown, hostPart, node }: Host): boolean =>
    !isDown && !troubled.has(hostPart) && !collectors.some((collector) => node?.collectors.get(collector) === false);
  for (const host of world.hosts.all) if (isSettled(host)) world.out.list(kind, host.ref);
};
