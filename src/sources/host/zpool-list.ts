/** Space and identity of pools: `zpool list -Hp`. */
import type { CapacityReading } from '../../../signals/reading.ts';

export const ZPOOL_LIST = ['list', '-H', '-p', '-o', 'name,guid,size,allocated,free'] as const;

export interface ListedPool {
  readonly name: string;
  /** A 64-bit number, as text. */
  readonly guid: string;
  /** Null: a pool that is not open has no figures. */
  readonly capacity: CapacityReading | null;
}

export const parseZpoolList = (text: string): readonly ListedPool[] =>
  text.split('\n').flatMap((line) => {
    const [name, guid, size, allocated, free] = line.split('\t');
    if (name === undefined || guid === undefined || !/^\d+$/.test(guid)) return [];
    const [sizeBytes = 0, usedBytes = 0, availableBytes = 0] = [size, allocated, free].map(Number);
    const isKnown = sizeBytes > 0 && Number.isFinite(usedBytes) && Number.isFinite(availableBytes);
    return [{ name, guid, capacity: isKnown ? { kind: 'capacity', sizeBytes, usedBytes, availableBytes } : null }];
  });
