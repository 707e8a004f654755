/** Error counts of NVMe and SAS drives, which have no attribute table. */
import { metrics } from '../history.ts';
import { countFault, riseIn, type Smart, type SmartFault, type SmartInput } from './fault.ts';

const mediaErrors = (input: SmartInput, reading: Smart): SmartFault | null => {
  if (reading.nvme === null) return null;
  const count = reading.nvme.mediaErrors;
  const rise = riseIn(input, reading, { kind: 'counter', count, metric: metrics.nvmeMediaErrors });
  if (rise === null) return null;
  const what = `${count} media errors: data that the drive could not read back`;
  return countFault({
    limit: input.limits.mediaErrors,
    count,
    rise,
    what,
    clears: 'the drive is replaced',
    risingIs: 'critical',
  });
};

const uncorrected = (input: SmartInput, reading: Smart): SmartFault | null => {
  const count = reading.scsi?.uncorrectedErrors ?? null;
  if (count === null) return null;
  const rise = riseIn(input, reading, { kind: 'counter', count, metric: metrics.scsiUncorrected });
  if (rise === null) return null;
  const what = `${count} uncorrected errors`;
  return countFault({
    limit: input.limits.uncorrected,
    count,
    rise,
    what,
    clears: 'the drive is replaced',
    risingIs: 'critical',
  });
};

const grownDefects = (input: SmartInput, reading: Smart): SmartFault | null => {
  const count = reading.scsi?.grownDefects ?? null;
  if (count === null) return null;
  const rise = riseIn(input, reading, { kind: 'counter', count, metric: metrics.scsiGrownDefects });
  if (rise === null) return null;
  const what = `${rise.by} new entries in the list of grown defects, ${count} in all`;
  return countFault({
    limit: input.limits.grownDefects,
    count: rise.by,
    rise: { by: 0, lastAtMs: null },
    what,
    clears: 'there are no new ones for 7 d',
    risingIs: null,
  });
};

export const otherCountFaults = (input: SmartInput, reading: Smart): readonly SmartFault[] =>
  [mediaErrors(input, reading), uncorrected(input, reading), grownDefects(input, reading)].filter(
    (fault) => fault !== null,
  );
