/** How many CPUs a container may use. */
import type { Inspected } from './container-schema.ts';

/** Microseconds, where a quota is set without a period (the kernel's default, Documentation/scheduler/sched-bwc). */
const DEFAULT_PERIOD_US = 100_000;

/** Null: nothing limits it that is known, and the host's number is not known either. */
export const cpuAllowance = (limits: Inspected['HostConfig'], hostCpus: number | null): number | null => {
  const quota = limits.CpuQuota ?? 0;
  const period = limits.CpuPeriod ?? 0;
  const candidates = [
    hostCpus,
    (limits.NanoCpus ?? 0) > 0 ? (limits.NanoCpus ?? 0) / 1e9 : null,
    quota > 0 ? quota / (period > 0 ? period : DEFAULT_PERIOD_US) : null,
    cpusetSize(limits.CpusetCpus ?? ''),
  ].filter((cpus) => cpus !== null);
  return candidates.length === 0 ? null : Math.min(...candidates);
};

/** Size of a list such as `0-2,7`; null for an empty one, or one that can't be read. */
export const cpusetSize = (list: string): number | null => {
  const cpus = new Set<number>();
  for (const part of list.split(',')) {
    const match = /^\s*(\d{1,5})(?:-(\d{1,5}))?\s*$/.exec(part);
    if (match === null) return null;
    const first = Number(match[1]);
    const last = match[2] === undefined ? first : Number(match[2]);
    for (let cpu = first; cpu <= last; cpu += 1) cpus.add(cpu);
  }
  return cpus.size === 0 ? null : cpus.size;
};
