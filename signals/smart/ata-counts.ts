/** ATA attributes whose counts tell of lost or failing sectors, and of a bad cable. */
import { metrics } from '../history.ts';
import { type Lasting, lasting } from '../lasting.ts';
import type { SmartAttribute } from '../reading.ts';
import { countFault, riseIn, type Smart, type SmartFault, type SmartInput } from './fault.ts';

const REALLOCATED = 5;
const REPORTED_UNCORRECTABLE = 187;
const PENDING = 197;
const OFFLINE_UNCORRECTABLE = 198;
const CRC = 199;

/** From its threshold on up, an SSD's normalised value warns this early. */
const SSD_WARNS_BEFORE = 10;

const find = ({ attributes }: Smart, id: number): SmartAttribute | undefined =>
  attributes.find((attribute) => attribute.id === id);

/** Sectors that could not be read. The first look at a few of them may be chance: `streak` is null where there are none. */
export interface Pending {
  readonly faults: readonly SmartFault[];
  readonly streak: Lasting | null;
}

const WAITING: ReadonlyMap<number, string> = new Map([
  [PENDING, 'can not be read and wait to be reallocated'],
  [OFFLINE_UNCORRECTABLE, 'could not be read by a scan of the drive itself'],
]);

const sectors = (count: number): string => `${count} ${count === 1 ? 'sector' : 'sectors'}`;

export const pendingFaults = (input: SmartInput, reading: Smart): Pending => {
  const limit = input.limits.pending;
  const all = [...WAITING].flatMap(([id, words]): readonly SmartFault[] => {
    const attribute = find(reading, id);
    if (attribute === undefined) return [];
    const { count } = attribute;
    const rise = riseIn(input, reading, { kind: 'gauge', count, metric: metrics.smartAttribute(id) });
    if (rise === null) return [];
    const what = `${sectors(count)} ${words} (attribute ${id})`;
    const fault = countFault({
      limit,
      count,
      rise,
      what,
      clears: 'no sector waits any more',
      risingIs: count > 0 ? 'critical' : null,
    });
    return fault === null ? [] : [fault];
  });
  if (all.length === 0) return { faults: [], streak: null };
  const known = input.before(null);
  // Looks at the very reading are one look; and what else was raised before says nothing about these sectors.
  const before = known === null ? null : { ...known, severity: null };
  const streak = lasting({ nowMs: reading.takenAtMs, before, looks: 2 });
  return { faults: streak.counts ? all : all.filter(({ severity }) => severity === 'critical'), streak };
};

const uncorrectable = (input: SmartInput, reading: Smart): SmartFault | null => {
  const attribute = find(reading, REPORTED_UNCORRECTABLE);
  if (attribute === undefined) return null;
  const { id, count } = attribute;
  const rise = riseIn(input, reading, { kind: 'counter', count, metric: metrics.smartAttribute(id) });
  if (rise === null) return null;
  const what = `${count} uncorrectable errors reported to the machine (attribute ${id})`;
  return countFault({
    limit: input.limits.uncorrected,
    count,
    rise,
    what,
    clears: 'the drive is replaced',
    risingIs: 'critical',
  });
};

const reallocated = (input: SmartInput, reading: Smart): SmartFault | null => {
  const attribute = find(reading, REALLOCATED);
  if (attribute === undefined) return null;
  const { limits } = input;
  const { id, count, value, threshold } = attribute;
  if (reading.deviceClass === 'ata-ssd') {
    // Blocks are retired all the time: what is left of the reserve counts, and the maker scales that.
    const low = value !== null && value > 0 && count > 0 && value <= (threshold ?? 0) + SSD_WARNS_BEFORE;
    if (!low || limits.reallocated.off !== null) return null;
    const what = `the reserve for worn blocks is at ${value} of 100, the maker's threshold is ${threshold ?? 0} (attribute ${id})`;
    return { severity: 'warning', what, clears: 'the drive is replaced', level: null };
  }
  const rise = riseIn(input, reading, { kind: 'counter', count, metric: metrics.smartAttribute(id) });
  if (rise === null) return null;
  const what = `${sectors(count)} reallocated (attribute ${id})`;
  const fault = countFault({
    limit: limits.reallocated,
    count,
    rise,
    what,
    clears: 'no more are reallocated',
    risingIs: 'warning',
  });
  const isMany = fault?.level?.limit != null;
  return fault !== null && isMany && rise.by > 0 ? { ...fault, severity: 'critical' } : fault;
};

const crc = (input: SmartInput, reading: Smart): SmartFault | null => {
  const attribute = find(reading, CRC);
  if (attribute === undefined) return null;
  const { id, count } = attribute;
  const rise = riseIn(input, reading, { kind: 'counter', count, metric: metrics.smartAttribute(id) });
  if (rise === null) return null;
  // What piled up is of a cable that may have been changed long ago: only new ones are judged.
  const what = `${rise.by} new transfer errors between drive and controller (attribute ${id}, ${count} in all): check cable, backplane and power`;
  return countFault({
    limit: input.limits.crc,
    count: rise.by,
    rise: { by: 0, lastAtMs: null },
    what,
    clears: 'there are no new ones for 7 d',
    risingIs: null,
  });
};

export const ataCountFaults = (input: SmartInput, reading: Smart): readonly SmartFault[] =>
  [uncorrectable(input, reading), reallocated(input, reading), crc(input, reading)].filter((fault) => fault !== null);
