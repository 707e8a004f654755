/** Root file systems of containers: the only ones of a guest whose use the lists tell. */
import { hint } from '../../../../signals/claim.ts';
import { guestStatus } from '../guest-status.ts';
import type { VeArea } from '../world.ts';

export const containerSpaceArea: VeArea = {
  name: 'container-space',
  read: async ({ clock, estate, out }) => {
    for (const { kind, isTemplate, node, ref, stats } of estate.guests) {
      if (kind !== 'container' || isTemplate) continue;
      const { power } = guestStatus(stats.status);
      const root = `fs:${ref}/`;
      out.claim({
        ref: root,
        kind: 'filesystem',
        name: '/',
        slug: 'root',
        parentRef: ref,
        keys: [hint('fs-mount:/', 'parent')],
        // Nothing is told of inodes and of being writable: space is all there is to expect, and only while it runs.
        expects: power === 'stopped' ? [] : ['capacity'],
        facts: { mountPoint: '/' },
      });
      out.list('filesystem', ref);
      const { disk, maxdisk } = stats;
      if (node?.online === false || power === 'unknown') {
        const reason = node?.online === false ? `node ${node.name} is offline` : 'its node has no statistics of it';
        out.gap({ ref: root, reads: ['capacity'], code: 'unreachable', reason });
      } else if (power === 'running' && disk !== undefined && maxdisk !== undefined && maxdisk > 0) {
        const [sizeBytes, usedBytes] = [maxdisk, Math.min(disk, maxdisk)];
        out.read(
          root,
          { kind: 'capacity', sizeBytes, usedBytes, availableBytes: sizeBytes - usedBytes },
          clock.nowMs(),
        );
      }
    }
  },
};
