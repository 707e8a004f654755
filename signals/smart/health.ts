/** What the disk says of itself as a whole: the overall flag, and an NVMe drive's critical warning. */
import { formatPercent } from '../format.ts';
import type { Smart, SmartFault, SmartInput } from './fault.ts';
import { isTooHot, nvmeWarnings } from './nvme-warning.ts';
import { TEMPERATURE_ATTRIBUTES } from './prefail.ts';

const FLAG = 'the drive calls itself failed';

const nvmeFaults = (nvme: NonNullable<Smart['nvme']>): readonly SmartFault[] => {
  const spareLow = nvme.availableSparePercent < nvme.availableSpareThresholdPercent;
  const spare = `${formatPercent(nvme.availableSparePercent)} of the spare blocks left, the drive's own limit is ${formatPercent(nvme.availableSpareThresholdPercent)}`;
  const words = nvmeWarnings(nvme);
  return [
    ...(spareLow
      ? [
          {
            what: spare,
            level: { value: nvme.availableSparePercent, limit: null, unit: 'percent', direction: 'below' } as const,
          },
        ]
      : []),
    ...(words.length > 0 ? [{ what: `the drive warns: ${words.join(', ')}`, level: null }] : []),
  ].map((fault) => ({ ...fault, severity: 'critical', clears: 'the drive is replaced' }));
};

/** Null: the flag is well, not told, or explained by heat, which is a finding of its own. */
const flagFault = ({ healthPassed, nvme, attributes }: Smart, explained: boolean): SmartFault | null => {
  if (healthPassed !== false) return null;
  const clears = 'the drive calls itself well again, or is replaced';
  if (nvme === null) {
    const hot = attributes.filter(({ whenFailed }) => whenFailed === 'now');
    if (hot.length > 0 && hot.every(({ id }) => TEMPERATURE_ATTRIBUTES.has(id))) return null;
    return { severity: 'critical', what: `${FLAG}: back up what is on it and replace it`, clears, level: null };
  }
  if (explained) return { severity: 'critical', what: FLAG, clears, level: null };
  if (isTooHot(nvme)) return null;
  return {
    severity: 'warning',
    what: `${FLAG}, but its own health log contradicts that: no critical warning is set and ${formatPercent(nvme.availableSparePercent)} of the spare blocks are left`,
    clears,
    level: null,
  };
};

export const healthFaults = ({ limits }: SmartInput, reading: Smart): readonly SmartFault[] => {
  if (limits.health.off !== null) return [];
  const own = reading.nvme === null ? [] : nvmeFaults(reading.nvme);
  const flag = flagFault(reading, own.length > 0);
  return flag === null ? own : [...own, flag];
};
