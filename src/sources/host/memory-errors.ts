/** Counters of the memory controllers (EDAC): corrected errors, and those that could not be corrected. */
import { type Collector, HOST_REF } from './host-context.ts';
import { NOTHING, part } from './part.ts';
import { namesIn, readNumber } from './root-reader.ts';

const CONTROLLERS = 64;
const EDAC = '/sys/devices/system/edac/mc';

export const collectMemoryErrors: Collector = async (host) => {
  if (host.environment.container !== null) return NOTHING;
  const controllers = (await namesIn(host.reader, EDAC)).filter((name) => /^mc\d+$/.test(name)).slice(0, CONTROLLERS);
  // No ECC, or no driver for it: nothing can be expected.
  if (controllers.length === 0) return NOTHING;
  const counts = await Promise.all(
    controllers.map(async (name) => ({
      correctable: await readNumber(host.reader, `${EDAC}/${name}/ce_count`),
      uncorrectable: await readNumber(host.reader, `${EDAC}/${name}/ue_count`),
    })),
  );
  const additions = [{ ref: HOST_REF, expects: ['memory_errors' as const], facts: {} }];
  if (counts.some(({ correctable, uncorrectable }) => correctable === null || uncorrectable === null)) {
    const reason = 'a counter of memory errors below /sys/devices/system/edac can not be read';
    return part({ additions, gaps: [{ ref: HOST_REF, reads: ['memory_errors'], code: 'failed', reason }] });
  }
  const sum = (kind: 'correctable' | 'uncorrectable'): number =>
    counts.reduce((total, count) => total + (count[kind] ?? 0), 0);
  return part({
    additions,
    readings: [
      {
        kind: 'memory_errors',
        correctable: sum('correctable'),
        uncorrectable: sum('uncorrectable'),
        bootedAtMs: host.procStat.bootedAtMs,
        ref: HOST_REF,
        takenAtMs: host.clock.nowMs(),
      },
    ],
  });
};
