/** Root file systems of containers: the only ones of a guest whose use the lists tell. */
import { hint } from '../../../../signals/claim.ts';
import { guestStatus } from '../guest-status.ts';
import type { VeArea } from '../world.ts';

export const containerSpaceArea: VeArea = {
  name: 'container-space',
  read: async ({ clock, estate, out }) => {
    for (const { kind, isTemplate, node, ref, stats } of estate.guests) {
      const isUp = guestStatus(stats.status).power === 'running' && node?.online !== false;
      const { disk, maxdisk } = stats;
      if (kind !== 'container' || isTemplate || !isUp || disk === undefined || !maxdisk) continue;
      const root = `fs:${ref}/`;
      const [sizeBytes, usedBytes] = [maxdisk, Math.min(disk, maxdisk)];
      out.claim({
        ref: root,
        kind: 'filesystem',
        name: '/',
        slug: 'root',
        parentRef: ref,
        keys: [hint('fs-mount:/', 'parent')],
        // Nothing is told of inodes and of being writable: space is all there is to expect.
        expects: ['capacity'],
        facts: { mountPoint: '/' },
      });
      const availableBytes = sizeBytes - usedBytes;
      out.read(root, { kind: 'capacity', sizeBytes, usedBytes, availableBytes }, clock.nowMs());
      out.list('filesystem', ref);
    }
  },
};
