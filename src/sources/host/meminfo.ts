/** /proc/meminfo and the ARC's statistics: how much memory is truly taken. */

/** Bytes by name. */
export type MemInfo = ReadonlyMap<string, number>;

export const parseMeminfo = (text: string): MemInfo => {
  const info = new Map<string, number>();
  for (const [, name, value] of text.matchAll(/^([A-Za-z0-9_()]+):\s+(\d+) kB$/gm)) {
    if (name !== undefined) info.set(name, Number(value) * 1_024);
  }
  return info;
};

export interface Arc {
  readonly sizeBytes: number;
  readonly minimumBytes: number;
}

/** /proc/spl/kstat/zfs/arcstats: lines of name, type, data. */
export const parseArcstats = (text: string): Arc | null => {
  const size = /^size\s+\d+\s+(\d+)$/m.exec(text)?.[1];
  const minimum = /^c_min\s+\d+\s+(\d+)$/m.exec(text)?.[1];
  return size === undefined || minimum === undefined
    ? null
    : { sizeBytes: Number(size), minimumBytes: Number(minimum) };
};

export interface MemoryUse {
  readonly totalBytes: number;
  readonly unavailableBytes: number;
  readonly reclaimableArcBytes: number | null;
}

/**
 * The kernel's own MemAvailable counts page cache and reclaimable slab as free. It knows nothing of the ARC, which gives
 * back what it holds above `c_min`. Some versions of lxcfs put no cache into MemAvailable, so in a container the better
 * of both figures counts. Null: it is no meminfo.
 */
export const memoryUse = (info: MemInfo, arc: Arc | null, inContainer: boolean): MemoryUse | null => {
  const totalBytes = info.get('MemTotal');
  const free = info.get('MemFree');
  if (totalBytes === undefined || totalBytes === 0 || free === undefined) return null;
  const of = (name: string): number => info.get(name) ?? 0;
  const cache = Math.max(0, of('Cached') - of('Shmem')) + of('Buffers') + of('SReclaimable');
  const told = info.get('MemAvailable');
  const availableBytes = told === undefined ? free + cache : inContainer ? Math.max(told, free + cache) : told;
  const withoutArc = Math.max(0, totalBytes - availableBytes);
  const reclaimableArcBytes = arc === null ? null : Math.min(withoutArc, Math.max(0, arc.sizeBytes - arc.minimumBytes));
  return { totalBytes, unavailableBytes: withoutArc - (reclaimableArcBytes ?? 0), reclaimableArcBytes };
};
