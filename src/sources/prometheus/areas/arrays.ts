/** Software RAID as node_exporter's mdadm collector tells it: counts, no names of members. */

import { hint } from '../../../../signals/claim.ts';
import type { ArrayRebuild } from '../../../../signals/reading.ts';
import { cleanText } from '../../../runtime/text.ts';
import { targetKey } from '../answer.ts';
import { label, lastValue } from '../answers.ts';
import { defineArea } from '../area.ts';
import { listChildren } from '../list-children.ts';
import { anyOf } from '../promql.ts';
import { addReading } from '../survey-world.ts';

const METRICS = ['node_md_disks', 'node_md_disks_required', 'node_md_state', 'node_md_blocks', 'node_md_blocks_synced'];
/** More are not named one by one. */
const MEMBERS = 64;

export const arraysArea = defineArea({
  name: 'arrays',
  queries: [
    {
      name: 'node_arrays',
      needs: ['node_md_disks_required'],
      reads: ['array'],
      promql: ({ select }) => anyOf(select, METRICS),
    },
  ],
  map: (world) => {
    const { answers, hosts, out } = world;
    const byArray = Map.groupBy(
      answers.series('node_arrays'),
      ({ labels }) => `${targetKey(labels)}\n${label(labels, 'device')}`,
    );
    for (const [first, ...rest] of byArray.values()) {
      if (first === undefined) continue;
      const host = hosts.ofNode(first.labels);
      const device = cleanText(label(first.labels, 'device'), 100);
      if (host === null || device === '') continue;
      const values = new Map(
        [first, ...rest].map((series) => [
          `${label(series.labels, '__name__').slice('node_md_'.length)}:${label(series.labels, 'state')}`,
          lastValue(series),
        ]),
      );
      const ref = `array:${host.ref}/${device}`;
      out.claim({
        ref,
        kind: 'array',
        name: device,
        parentRef: host.ref,
        keys: [hint(`array-name:${device}`, 'parent')],
        expects: ['array'],
      });
      const requiredDevices = values.get('disks_required:');
      const activeDevices = values.get('disks:active');
      if (requiredDevices === undefined || activeDevices === undefined) continue;
      const failed = Math.min(MEMBERS, Math.max(0, values.get('disks:failed') ?? 0));
      addReading(world, ref, first.labels, {
        kind: 'array',
        level: 'md',
        requiredDevices,
        activeDevices,
        failedMembers: Array.from({ length: failed }, (_, index) => `unnamed ${index + 1}`),
        rebuild: rebuildOf(values),
      });
    }
    listChildren(world, { kind: 'array', queries: ['node_arrays'], collectors: ['mdadm'] });
  },
});

const ACTIONS = { recovering: 'recovery', resync: 'resync', check: 'check' } as const;

const rebuildOf = (values: ReadonlyMap<string, number>): ArrayRebuild | null => {
  const blocks = values.get('blocks:') ?? 0;
  const doneRatio = blocks > 0 ? Math.min(1, Math.max(0, (values.get('blocks_synced:') ?? 0) / blocks)) : 0;
  for (const [state, action] of Object.entries(ACTIONS))
    if (values.get(`state:${state}`) === 1) return { action, doneRatio };
  return null;
};
