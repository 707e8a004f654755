/** The drive's own tests: a failed one counts until a newer one, at least as long, has passed. */
import type { SelfTest } from '../reading.ts';
import type { Smart, SmartFault, SmartInput } from './fault.ts';

/** A conveyance or selective test reads no more than a short one is sure to read. */
const lengthOf = ({ kind }: SelfTest): number => (kind === 'extended' ? 2 : 1);

/** Newest first; tests that were aborted, or are running, say nothing. */
const standingFailure = (tests: readonly SelfTest[]): SelfTest | null => {
  let passedLength = 0;
  for (const test of tests) {
    if (test.passed === true) passedLength = Math.max(passedLength, lengthOf(test));
    if (test.passed === false && lengthOf(test) > passedLength) return test;
  }
  return null;
};

const ageText = (atPowerOnHours: number | null, powerOnHours: number | null): string => {
  if (atPowerOnHours === null) return '';
  // ATA logs keep 16 bits of the hours.
  const ago = powerOnHours === null ? -1 : powerOnHours - atPowerOnHours;
  return ago >= 0 ? `, ${ago} hours of operation ago` : ` at ${atPowerOnHours} hours of operation`;
};

export const selfTestFaults = ({ limits }: SmartInput, { selfTests, powerOnHours }: Smart): readonly SmartFault[] => {
  const failed = limits.selfTest.off === null ? standingFailure(selfTests) : null;
  if (failed === null) return [];
  const name = failed.kind === 'other' ? 'a' : failed.kind === 'extended' ? 'an extended' : 'a short';
  return [
    {
      severity: 'critical',
      what: `${name} self-test failed${ageText(failed.atPowerOnHours, powerOnHours)}, and none as long has passed since`,
      clears: `${failed.kind === 'extended' ? 'an extended' : 'a'} self-test passes`,
      level: null,
    },
  ];
};
