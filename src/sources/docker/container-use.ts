/** What the counters of one running container say of its use, or why they say nothing. Pure. */
import type { ReadingBody, ReadingKind } from '../../../signals/reading.ts';
import type { GapCode } from '../../../signals/survey.ts';
import type { Inspected } from './container-schema.ts';
import { cpuAllowance } from './cpu-allowance.ts';
import { type CpuCount, cpuReading, isComparable } from './cpu-use.ts';
import type { Engine } from './engine.ts';
import { instantMs } from './instant.ts';
import type { Counters } from './look-at-container.ts';
import { memoryLimitBytes, memoryReading, workingSetBytes } from './memory-use.ts';

export interface MissingUse {
  readonly reads: readonly ReadingKind[];
  readonly code: GapCode;
  readonly reason: string;
}

export interface ContainerUse {
  readonly readings: readonly ReadingBody[];
  readonly missing: readonly MissingUse[];
}

type EngineFacts = Pick<Engine, 'kind' | 'version' | 'cpus' | 'memoryBytes'>;

export const cpuCount = ({ stats, readAtMs, seenAtMs }: Counters, inspected: Inspected): CpuCount => ({
  usedMs: stats.cpu_stats.cpu_usage.total_usage / 1e6,
  atMs: readAtMs,
  seenAtMs,
  startedAtMs: instantMs(inspected.State.StartedAt),
});

/** Memory is expected only of a container that has a limit to be measured against. */
export const hasMemoryLimit = (inspected: Inspected, engine: Pick<Engine, 'memoryBytes'>): boolean =>
  memoryLimitBytes(inspected.HostConfig.Memory, engine.memoryBytes) !== null;

export const memoryUse = (counters: Counters, inspected: Inspected, engine: EngineFacts): ContainerUse => {
  const usedBytes = workingSetBytes(counters.stats.memory_stats, engine);
  const limitBytes = memoryLimitBytes(inspected.HostConfig.Memory, engine.memoryBytes);
  if (usedBytes !== null) return { readings: [memoryReading(usedBytes, limitBytes)], missing: [] };
  if (limitBytes === null) return { readings: [], missing: [] };
  const reason =
    'the engine does not tell how much of its memory is only cache: its cgroups have no memory controller, or it is too old';
  return { readings: [], missing: [{ reads: ['container_memory'], code: 'not_supported', reason }] };
};

/** `before` and `now` are comparable, or there is none to compare with. */
export const cpuUse = (
  before: CpuCount | undefined,
  now: CpuCount,
  inspected: Inspected,
  engine: EngineFacts,
): ContainerUse => {
  const missing = (code: GapCode, reason: string): ContainerUse => ({
    readings: [],
    missing: [{ reads: ['cpu'], code, reason }],
  });
  if (!isComparable(before, now)) return missing('not_due', 'CPU use is measured between two surveys');
  const allowed = cpuAllowance(inspected.HostConfig, engine.cpus);
  if (allowed === null) return missing('not_supported', 'the engine does not tell how many CPUs its host has');
  return { readings: [cpuReading(before, now, allowed)], missing: [] };
};
