/** Memory of a container that has a limit, by its own control group (cgroup v2: memory.max, memory.current, memory.stat). */

import type { MemoryUse } from './meminfo.ts';
import { type RootReader, readLine, readNumber } from './root-reader.ts';

/** What of `memory.current` the kernel gives back under pressure. */
const RECLAIMABLE = /^(?:inactive_file|active_file|slab_reclaimable) (\d+)$/gm;

/** Null: no limit, or none below `totalBytes`, or not this version of control groups. */
export const cgroupMemoryUse = async (reader: RootReader, totalBytes: number): Promise<MemoryUse | null> => {
  const limitBytes = await readNumber(reader, '/sys/fs/cgroup/memory.max');
  if (limitBytes === null || limitBytes <= 0 || limitBytes >= totalBytes) return null;
  const currentBytes = await readNumber(reader, '/sys/fs/cgroup/memory.current');
  const stat = await readLine(reader, '/sys/fs/cgroup/memory.stat');
  if (currentBytes === null || stat === null) return null;
  const reclaimable = [...stat.matchAll(RECLAIMABLE)].reduce((sum, [, bytes]) => sum + Number(bytes), 0);
  return {
    totalBytes: limitBytes,
    unavailableBytes: Math.max(0, currentBytes - reclaimable),
    reclaimableArcBytes: null,
  };
};
