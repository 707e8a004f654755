/** Addresses of the network cards that a machine keeps. */
import { namesIn, type RootReader, readLine } from './root-reader.ts';

const CARDS = 16;
const INTERFACES = 1_024;
const NET = '/sys/class/net';

/** Sorted, lower case. Bridges, tunnels, taps and containers' ends have no device; the rest are real or the hypervisor's. */
export const physicalMacs = async (reader: RootReader): Promise<readonly string[]> => {
  const names = (await namesIn(reader, NET)).slice(0, INTERFACES);
  const macs = await Promise.all(names.map((name) => macOf(reader, `${NET}/${name}`)));
  return [...new Set(macs.filter((mac) => mac !== null))].sort().slice(0, CARDS);
};

const macOf = async (reader: RootReader, path: string): Promise<string | null> => {
  const device = await reader.realPath(`${path}/device`);
  // Functions that a card lends to guests come and go.
  if (device === null || (await reader.realPath(`${device}/physfn`)) !== null) return null;
  const own =
    (await readLine(reader, `${path}/bonding_slave/perm_hwaddr`)) ?? (await readLine(reader, `${path}/address`));
  const mac = own?.toLowerCase() ?? '';
  return /^(?:[0-9a-f]{2}:){5}[0-9a-f]{2}$/.test(mac) && mac !== '00:00:00:00:00:00' ? mac : null;
};
