/** Endurance that is used up: a plan to replace the drive, never a failure by itself. */
import { formatPercent } from '../format.ts';
import { boundAt, severityAt } from '../hysteresis.ts';
import { limitText } from '../level.ts';
import type { Smart, SmartFault, SmartInput } from './fault.ts';

const REPLACE_SOON_PERCENT = 95;

export const wearFaults = ({ limits }: SmartInput, { wearUsedPercent }: Smart): readonly SmartFault[] => {
  const limit = limits.wear;
  if (limit.off !== null || wearUsedPercent === null || !Number.isFinite(wearUsedPercent)) return [];
  // Wear never goes back: no band is needed.
  const severity = severityAt(limit, wearUsedPercent, null);
  const bound = severity === null ? null : boundAt(limit, severity);
  if (severity === null || bound === null) return [];
  const soon = wearUsedPercent >= REPLACE_SOON_PERCENT ? ': replace it soon' : '';
  return [
    {
      severity,
      what: `${formatPercent(wearUsedPercent)} of its rated endurance used${soon}, ${limitText(bound, 'percent')}`,
      clears: 'the drive is replaced',
      level: { value: wearUsedPercent, limit: bound, unit: 'percent' },
    },
  ];
};
