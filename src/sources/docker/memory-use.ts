/** Memory that a container really holds, against the limit that was set for it. */
import type { ContainerMemoryReading } from '../../../signals/reading.ts';
import type { Engine } from './engine.ts';
import type { Stats } from './stats-schema.ts';

/**
 * What the kernel charges to the container, without file pages that it would give back first. cgroup v1 tells them as
 * `total_inactive_file`, v2 as `inactive_file`. Podman leaves the counters out, but has taken them off itself since
 * 4.7 on cgroup v2 (containers/common pkg/cgroups/memory_linux.go). Null: it can't be told.
 */
export const workingSetBytes = (
  memory: Stats['memory_stats'],
  engine: Pick<Engine, 'kind' | 'version'>,
): number | null => {
  if (memory?.usage === undefined) return null;
  const inactive = memory.stats?.total_inactive_file ?? memory.stats?.inactive_file;
  if (inactive !== undefined) return Math.max(0, memory.usage - inactive);
  return engine.kind === 'podman' && isPodman5(engine.version) ? memory.usage : null;
};

/** Podman 5 runs on cgroup v2 alone in practice; earlier ones may count the page cache. */
const isPodman5 = (version: string): boolean => Number.parseInt(version, 10) >= 5;

/** Null: none was set, or one that the host's own memory makes meaningless. */
export const memoryLimitBytes = (configured: number | undefined, hostBytes: number | null): number | null => {
  if (configured === undefined || configured === 0) return null;
  return hostBytes !== null && configured >= hostBytes ? null : configured;
};

export const memoryReading = (usedBytes: number, limitBytes: number | null): ContainerMemoryReading => ({
  kind: 'container_memory',
  workingSetBytes: usedBytes,
  limitBytes,
  windowMs: 0,
  observedRatio: 1,
});
