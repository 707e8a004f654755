/** A disk that fails, or says that it will. */
import { clear, defineDetector, type Judgement, unobserved } from '../detector.ts';
import { confirming } from '../lasting.ts';
import type { LimitSpec } from '../limit.ts';
import { newest } from '../newest.ts';
import { ataCountFaults, pendingFaults } from '../smart/ata-counts.ts';
import type { Smart, SmartFault, SmartInput } from '../smart/fault.ts';
import { healthFaults } from '../smart/health.ts';
import { otherCountFaults } from '../smart/other-counts.ts';
import { prefailFaults } from '../smart/prefail.ts';
import { selfTestFaults } from '../smart/self-test.ts';
import { wearFaults } from '../smart/wear.ts';
import { stateLimit } from '../state-limit.ts';

const KINDS = ['disk'] as const;

const count = (metric: string, warning: number, critical: number | null, because: string): LimitSpec => ({
  metric,
  kinds: KINDS,
  unit: 'count',
  direction: 'above',
  warning,
  critical,
  clearBy: 1,
  forMs: 0,
  because,
});

/** Worst first, so that the first one can speak for all. */
const ordered = (faults: readonly SmartFault[]): readonly SmartFault[] => [
  ...faults.filter(({ severity }) => severity === 'critical'),
  ...faults.filter(({ severity }) => severity === 'warning'),
];

/** Without a fault: well only if the disk says so, and its table or log was read too. */
const withoutFault = ({ healthPassed, logRead }: Smart): Judgement => {
  if (healthPassed === null)
    return unobserved(
      'not_supported',
      'the disk, or what is between it and the machine, does not tell its overall health',
    );
  if (!logRead)
    return unobserved(
      'not_supported',
      'its attributes or its health log could not be read: the overall flag alone proves nothing',
    );
  return clear();
};

export const smartFailure = defineDetector({
  type: 'smart_failure',
  title: 'Disk is failing',
  category: 'reliability',
  kinds: KINDS,
  reads: ['smart'],
  sources: 'each',
  limits: {
    health: stateLimit({
      metric: 'smartHealth',
      kinds: KINDS,
      because: "the drive's own verdict, its makers' thresholds and its critical warnings",
    }),
    pending: count(
      'pendingSectors',
      1,
      9,
      'one in two reads is a sector lost; above 8, or while they grow, the surface is going',
    ),
    uncorrected: count(
      'uncorrectedErrors',
      1,
      null,
      'drives that reported one fail many times as often as others; critical while they rise',
    ),
    reallocated: count(
      'reallocatedSectors',
      17,
      null,
      'a few are normal with age; critical where there are many and they rise',
    ),
    crc: count('interfaceErrors', 1, null, 'only new ones within a week: old ones are of a cable that was changed'),
    grownDefects: count('grownDefects', 1, null, 'only new ones within a week'),
    mediaErrors: count('mediaErrors', 1, null, 'each is data that could not be read back; critical while they rise'),
    wear: {
      metric: 'wear',
      kinds: KINDS,
      unit: 'percent',
      direction: 'above',
      warning: 80,
      critical: null,
      clearBy: 0,
      forMs: 0,
      because:
        'time enough to order a new one; drives mostly live on well past their rating, so it is never critical alone',
    },
    selfTest: stateLimit({ metric: 'selfTest', kinds: KINDS, because: 'the drive tested itself and failed' }),
  },
  explain:
    "One finding for each disk, naming everything that is wrong with it, since the remedy is one: replace the disk. A fault in any part raises; clear needs an explicit overall health and the attributes, health log or error counters to have been read too. Counts are judged by change: what has stood still for a week is at most a warning, and a count that falls was reset. Sectors that could not be read count in two reads, since a rewrite may heal them. Reallocated sectors of SSDs are judged by the maker's scale, not by the count. An NVMe drive whose overall flag says failed while its own health log shows nothing critical is a warning that says so; heat is a finding of its own (temperature_high), also where it alone makes the drive call itself failed. It can't see a disk that is asleep, switched off or behind a bridge that hides it: then it is unobserved.",
  skip: ({ facts }) => (facts['virtual'] === true ? 'it is not a physical disk' : null),
  detect: (input: SmartInput): Judgement => {
    const reading = newest(input.readings);
    if (reading === undefined) return unobserved('no_reading', 'no SMART reading');
    const { faults: pending, streak } = pendingFaults(input, reading);
    const faults = ordered([
      ...healthFaults(input, reading),
      ...prefailFaults(input, reading),
      ...pending,
      ...ataCountFaults(input, reading),
      ...otherCountFaults(input, reading),
      ...selfTestFaults(input, reading),
      ...wearFaults(input, reading),
    ]);
    const [worst] = faults;
    if (worst === undefined) {
      return streak === null
        ? withoutFault(reading)
        : confirming('sectors could not be read', streak, reading.takenAtMs);
    }
    return {
      state: 'raised',
      subject: null,
      severity: worst.severity,
      level: faults.find(({ level, severity }) => level !== null && severity === worst.severity)?.level ?? null,
      summary: faults.map(({ what }) => what).join('; '),
      clearsWhen: [...new Set(faults.map(({ clears }) => clears))].join(', and '),
      evidence: [reading.id],
      ...(streak === null ? {} : { bad: streak.bad }),
    };
  },
});
