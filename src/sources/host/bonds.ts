/** Network bonds and the link state of their members, as sysfs shows them (Documentation/networking/bonding.rst). */
import type { BondReading } from '../../../signals/reading.ts';
import { cleanText } from '../../runtime/text.ts';
import { type Collector, HOST_REF } from './host-context.ts';
import { NOTHING, part } from './part.ts';
import { type RootReader, readLine } from './root-reader.ts';

const BONDS = 32;
const MEMBERS = 32;
const NET = '/sys/class/net';

export const collectBonds: Collector = async (host) => {
  const masters = (await readLine(host.reader, `${NET}/bonding_masters`))?.split(/\s+/) ?? [];
  if (masters.length === 0) return NOTHING;
  const bonds = await Promise.all(masters.slice(0, BONDS).map((name) => readBond(host.reader, name)));
  const unread = bonds.filter((bond) => bond === null).length;
  const reason = `the members of ${unread} bonds can not be read`;
  return part({
    additions: [{ ref: HOST_REF, expects: ['bond'], facts: {} }],
    readings: bonds.flatMap((bond) =>
      bond === null ? [] : [{ ...bond, ref: HOST_REF, takenAtMs: host.clock.nowMs() }],
    ),
    gaps: unread === 0 ? [] : [{ ref: HOST_REF, reads: ['bond'], code: 'failed', reason }],
  });
};

/** Null: unreadable. A bond without members is one that is not in use. */
const readBond = async (reader: RootReader, name: string): Promise<BondReading | null> => {
  const slaves = await reader.readText(`${NET}/${name}/bonding/slaves`, 4_096);
  if (slaves.kind !== 'read') return null;
  const names = slaves.text.split(/\s+/).filter((member) => member !== '');
  const members = await Promise.all(
    names.slice(0, MEMBERS).map(async (member) => ({
      name: cleanText(member, 64),
      // `up`, `going down`, `down`, `going back`
      up: (await readLine(reader, `${NET}/${member}/bonding_slave/mii_status`)) === 'up',
    })),
  );
  return { kind: 'bond', name: cleanText(name, 64), members };
};
