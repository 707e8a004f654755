/** Which disks there are. */
import { defineArea } from '../area.ts';
import { listChildren } from '../list-children.ts';

export const disksArea = defineArea({
  name: 'disks',
  queries: [
    { name: 'node_disks', needs: ['node_disk_info'], reads: [], promql: ({ select }) => select('node_disk_info') },
    {
      name: 'smart_devices',
      needs: ['smartctl_device'],
      reads: ['smart'],
      promql: ({ select }) => select('smartctl_device'),
    },
    {
      name: 'smart_rotation',
      needs: ['smartctl_device_rotation_rate'],
      reads: [],
      promql: ({ select }) => select('smartctl_device_rotation_rate'),
      enriches: true,
    },
  ],
  map: (world) =>
    listChildren(world, { kind: 'disk', queries: ['node_disks', 'smart_devices'], collectors: ['diskstats'] }),
});
