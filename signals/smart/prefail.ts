/** ATA attributes that the maker calls a sign of failure, at or below the maker's own threshold now. */
import type { SmartAttribute } from '../reading.ts';
import type { Smart, SmartFault, SmartInput } from './fault.ts';

/** Heat is a finding of its own. */
export const TEMPERATURE_ATTRIBUTES: ReadonlySet<number> = new Set([190, 194]);

/** Normalised values and thresholds are 1 to 253 (ATA/ATAPI-7, annex); 0 never fails, 254 and above mean something else. */
const isScaled = (value: number | null): value is number => value !== null && value >= 1 && value <= 253;

const isFailing = ({ id, prefail, whenFailed, value, threshold }: SmartAttribute): boolean => {
  if (!prefail || TEMPERATURE_ATTRIBUTES.has(id)) return false;
  return whenFailed === 'now' || (isScaled(value) && isScaled(threshold) && value <= threshold);
};

export const prefailFaults = ({ limits }: SmartInput, { attributes }: Smart): readonly SmartFault[] =>
  limits.health.off !== null
    ? []
    : attributes.filter(isFailing).map(({ id, name, value, threshold }) => ({
        severity: 'critical',
        what: `attribute ${id} (${name}) is at ${value ?? 'a value'}, the maker's own threshold is ${threshold ?? 'above it'}`,
        clears: 'the drive is replaced',
        level: null,
      }));
