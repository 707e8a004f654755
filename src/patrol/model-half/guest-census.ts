/** Which guests run, and which of those answer: what a model would otherwise ask of each. Pure. */
import type { World } from '../../../signals/evaluate.ts';
import { isGuest, type Resource, type ResourceId } from '../../../signals/resource.ts';

export interface GuestCensus {
  readonly running: number;
  readonly off: number;
  readonly unknown: number;
  /** Of the running ones: by any probe. */
  readonly answering: number;
  readonly notProbed: number;
  /** Running, probed, and silent: no proof of a fault by itself. */
  readonly silent: readonly ResourceId[];
}

export const guestCensus = (resources: readonly Resource[], { readingsOf }: Pick<World, 'readingsOf'>): GuestCensus => {
  const census = { running: 0, off: 0, unknown: 0, answering: 0, notProbed: 0 };
  const silent: ResourceId[] = [];
  for (const { id, kind, status, presence } of resources) {
    if (!isGuest(kind)) continue;
    if (presence === 'remembered' || status === 'unknown') {
      census.unknown += 1;
      continue;
    }
    if (status === 'stopped' || status === 'paused') {
      census.off += 1;
      continue;
    }
    census.running += 1;
    const probes = readingsOf(id).flatMap((reading) => (reading.kind === 'probe' ? [reading.answered] : []));
    if (probes.length === 0) census.notProbed += 1;
    else if (probes.includes(true)) census.answering += 1;
    else silent.push(id);
  }
  return { ...census, silent };
};

export const censusText = ({ running, off, unknown, answering, notProbed, silent }: GuestCensus): string =>
  [
    `${running} running`,
    ...(off === 0 ? [] : [`${off} off`]),
    ...(unknown === 0 ? [] : [`${unknown} unknown`]),
    ...(running === 0
      ? []
      : [`of the running ${answering} answer, ${silent.length} do not, ${notProbed} are not probed`]),
  ].join(', ');
