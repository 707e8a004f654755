import { z } from 'zod';
import type { Reading } from '../../signals/reading.ts';
import { listReadings } from './list-readings.ts';
import type { LookingContext } from './looking-context.ts';
import { cursorInput, resourceInput } from './named-resource.ts';
import { usedShare } from './showing/figures.ts';
import { defineTool } from './tool.ts';

const input = z.strictObject({ under: resourceInput.optional(), cursor: cursorInput });

/** Faults before fullness, and the fullest first. */
const weigh = (reading: Reading): number => {
  switch (reading.kind) {
    case 'zfs_pool':
      return reading.state === 'ONLINE' && (reading.dataErrors ?? 0) === 0 ? 0.5 : 2;
    case 'array':
      return reading.activeDevices < reading.requiredDevices || reading.failedMembers.length > 0 ? 2 : 0.5;
    case 'storage_state':
      return reading.enabled && reading.active === false ? 2 : 0;
    case 'ceph':
      return reading.health === 'HEALTH_OK' ? 0.5 : 2;
    case 'thin_pool':
      return Math.max(reading.dataUsedRatio, reading.metadataUsedRatio ?? 0);
    case 'filesystem':
      return Math.max(
        usedShare(reading.usedBytes, reading.availableBytes),
        reading.superblockReadOnly === true ? 1.5 : 0,
      );
    case 'capacity':
      return usedShare(reading.usedBytes, reading.availableBytes);
    default:
      return 0;
  }
};

export const listStorage = defineTool<LookingContext, z.output<typeof input>>({
  name: 'list_storage',
  effect: 'read',
  description:
    'Space and health of filesystems, pools, arrays, storages and datastores; faults first, then the fullest.',
  input,
  timeoutMs: 5_000,
  run: async (asked, context) =>
    listReadings(context, {
      tool: 'list_storage',
      asked,
      kinds: ['filesystem', 'capacity', 'thin_pool', 'zfs_pool', 'array', 'storage_state', 'ceph'],
      weigh,
      about: 'Storage',
    }),
});
