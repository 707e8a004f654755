import { z } from 'zod';
import type { Reading } from '../../signals/reading.ts';
import { listReadings } from './list-readings.ts';
import type { LookingContext } from './looking-context.ts';
import { cursorInput, resourceInput } from './named-resource.ts';
import { defineTool } from './tool.ts';

const input = z.strictObject({ under: resourceInput.optional(), cursor: cursorInput });

/** By how long ago the newest good one was, in years below 1, after what failed. */
const YEAR_MS = 365 * 86_400_000;

const ageOf = (reading: Extract<Reading, { readonly kind: 'backup' }>): number =>
  reading.newestGoodAtMs === null
    ? 1
    : Math.min(1, Math.max(0, (reading.receivedAtMs - reading.newestGoodAtMs) / YEAR_MS));

const weigh = (reading: Reading): number => {
  switch (reading.kind) {
    case 'backup':
      return (reading.lastRun?.outcome === 'failed' ? 2 : 0) + ageOf(reading);
    case 'backup_verification':
      return reading.failed.length > 0 ? 4 : 0;
    case 'upkeep':
      return reading.lastRun?.outcome === 'failed' ? 2 : 0;
    case 'replication':
      return reading.failCount > 0 ? 2 : 0;
    case 'backup_volumes':
      return reading.volumes.some(({ included, excludedOnPurpose }) => !included && !excludedOnPurpose) ? 0.9 : 0;
    default:
      return 0;
  }
};

export const listBackups = defineTool<LookingContext, z.output<typeof input>>({
  name: 'list_backups',
  effect: 'read',
  description:
    'Backups by target, their verification and upkeep, replication; failed first, then the longest without a good one.',
  input,
  timeoutMs: 5_000,
  run: async (asked, context) =>
    listReadings(context, {
      tool: 'list_backups',
      asked,
      kinds: ['backup', 'backup_verification', 'upkeep', 'replication', 'backup_volumes', 'snapshots'],
      weigh,
      about: 'Backups',
    }),
});
