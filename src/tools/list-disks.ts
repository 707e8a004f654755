import { z } from 'zod';
import type { Reading } from '../../signals/reading.ts';
import { listReadings } from './list-readings.ts';
import type { LookingContext } from './looking-context.ts';
import { cursorInput, resourceInput } from './named-resource.ts';
import { defineTool } from './tool.ts';

const input = z.strictObject({ under: resourceInput.optional(), cursor: cursorInput });

/** Counters that are zero on a disk that is well, on all drives (reallocated, reported, pending, offline). */
const TELLING = new Set([5, 187, 197, 198]);

const weigh = (reading: Reading): number => {
  if (reading.kind !== 'smart') return 0;
  const { healthPassed, attributes, nvme, scsi, selfTests } = reading;
  if (healthPassed === false || (nvme?.criticalWarning ?? 0) > 0) return 3;
  const counted = attributes.some(
    ({ id, count, whenFailed }) => whenFailed === 'now' || (TELLING.has(id) && count > 0),
  );
  const errors = (nvme?.mediaErrors ?? 0) + (scsi?.uncorrectedErrors ?? 0) + (scsi?.grownDefects ?? 0) > 0;
  if (counted || errors || selfTests[0]?.passed === false) return 2;
  return healthPassed === null || !reading.logRead ? 1 : (reading.wearUsedPercent ?? 0) / 1_000;
};

export const listDisks = defineTool<LookingContext, z.output<typeof input>>({
  name: 'list_disks',
  effect: 'read',
  description: 'SMART of physical disks: health, telling counters, wear, self-tests; the most telling first.',
  input,
  timeoutMs: 5_000,
  run: async (asked, context) =>
    listReadings(context, { tool: 'list_disks', asked, kinds: ['smart'], weigh, about: 'Disks' }),
});
