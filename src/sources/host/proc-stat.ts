/** /proc/stat: what the CPUs did since boot, how many there are, and when the machine booted (proc(5)). */

/** In clock ticks, of all CPUs together. Guest time is already part of user and nice. */
export interface CpuTicks {
  readonly busy: number;
  readonly idle: number;
  readonly iowait: number;
  readonly steal: number;
}

export interface ProcStat {
  readonly ticks: CpuTicks;
  readonly cpuCount: number;
  readonly bootedAtMs: number;
}

export const parseProcStat = (text: string): ProcStat | null => {
  const total = /^cpu +(.+)$/m.exec(text)?.[1];
  const bootedAt = /^btime (\d+)$/m.exec(text)?.[1];
  if (total === undefined || bootedAt === undefined) return null;
  const columns = total.trim().split(/ +/).map(Number);
  const [user, nice, system, idle, iowait = 0, irq = 0, softirq = 0, steal = 0] = columns;
  if (user === undefined || nice === undefined || system === undefined || idle === undefined) return null;
  if (columns.some((value) => !Number.isFinite(value) || value < 0)) return null;
  return {
    ticks: { busy: user + nice + system + irq + softirq, idle, iowait, steal },
    cpuCount: text.match(/^cpu\d+ /gm)?.length ?? 0,
    bootedAtMs: Number(bootedAt) * 1_000,
  };
};

export interface CpuUse {
  readonly busyRatio: number;
  readonly iowaitRatio: number;
  readonly stealRatio: number;
}

/** What happened between two reads; null where no time passed. Idle and iowait may step back a little (proc(5)). */
export const cpuUseBetween = (from: CpuTicks, to: CpuTicks): CpuUse | null => {
  const grown = (part: keyof CpuTicks): number => Math.max(0, to[part] - from[part]);
  const busy = grown('busy');
  const iowait = grown('iowait');
  const steal = grown('steal');
  const total = busy + grown('idle') + iowait + steal;
  return total === 0 ? null : { busyRatio: busy / total, iowaitRatio: iowait / total, stealRatio: steal / total };
};
