/** Memory that is truly unavailable. */
import { cgroupMemoryUse } from './cgroup-memory.ts';
import { type Collector, HOST_REF, type HostContext } from './host-context.ts';
import { type MemoryUse, memoryUse, parseArcstats, parseMeminfo } from './meminfo.ts';
import { part } from './part.ts';

export const collectMemory: Collector = async (host) => {
  const additions = [{ ref: HOST_REF, expects: ['memory' as const], facts: {} }];
  const use = await readMemory(host);
  if (use === null) {
    const reason = '/proc/meminfo could not be read, or names no total';
    return part({ additions, gaps: [{ ref: HOST_REF, reads: ['memory'], code: 'malformed', reason }] });
  }
  const reading = { kind: 'memory' as const, ...use, windowMs: 0, observedRatio: 1, excludesCache: true };
  return part({ additions, readings: [{ ...reading, ref: HOST_REF, takenAtMs: host.clock.nowMs() }] });
};

const readMemory = async ({ reader, environment }: HostContext): Promise<MemoryUse | null> => {
  const inContainer = environment.container !== null;
  const read = await reader.readText('/proc/meminfo');
  if (read.kind !== 'read') return null;
  // A container sees its host's ARC, but it is not in the container's memory.
  const arcstats = inContainer ? null : await reader.readText('/proc/spl/kstat/zfs/arcstats');
  const arc = arcstats?.kind === 'read' ? parseArcstats(arcstats.text) : null;
  const use = memoryUse(parseMeminfo(read.text), arc, inContainer);
  if (use === null || !inContainer) return use;
  return (await cgroupMemoryUse(reader, use.totalBytes)) ?? use;
};
