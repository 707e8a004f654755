/** Readings of a machine: use, units, boots, sensors, clock, bonds. */
import type { Averaged } from './averaged.ts';

/** CPU use of a host or a guest, relative to the CPUs it may use; may pass 1 for a guest. */
export interface CpuReading extends Averaged {
  readonly kind: 'cpu';
  readonly busyRatio: number;
  /** Part of the time in which a CPU idled only because of I/O; not part of `busyRatio`. */
  readonly iowaitRatio: number | null;
  /** Part of the time that the hypervisor gave to others; not part of `busyRatio`. */
  readonly stealRatio: number | null;
}

/** Memory that is truly unavailable: neither page cache, nor reclaimable slab, nor ARC above its minimum. */
export interface MemoryReading extends Averaged {
  readonly kind: 'memory';
  readonly totalBytes: number;
  readonly unavailableBytes: number;
  /** Part of an ARC that could be given back and was therefore not counted, where there is one. */
  readonly reclaimableArcBytes: number | null;
  /**
   * False where the figure includes memory that the guest may be using as cache: low use is then proof, high use is not.
   */
  readonly excludesCache: boolean;
}

/** One systemd unit. */
export interface UnitReading {
  readonly kind: 'unit';
  readonly activeState: 'active' | 'reloading' | 'inactive' | 'failed' | 'activating' | 'deactivating' | 'maintenance';
  readonly subState: string;
  /** systemd's `Result`, such as `exit-code` or `oom-kill`; null where the source doesn't tell. */
  readonly result: string | null;
  readonly stateSinceMs: number | null;
  /** Automatic restarts since the unit was loaded; null where the source doesn't tell. */
  readonly restartCount: number | null;
}

/** Kernel OOM kills on a host since `sinceMs`, as its log tells them. */
export interface OomKillsReading {
  readonly kind: 'oom_kills';
  readonly sinceMs: number;
  /** Null where only a counter is known; then `count` alone speaks. */
  readonly kills: readonly OomKill[] | null;
  readonly count: number;
}

export interface OomKill {
  readonly atMs: number;
  readonly victim: string;
  /** Cgroup path of the victim, where told; a container's kill belongs to the container. */
  readonly cgroup: string | null;
  readonly inContainer: boolean;
}

/** The current boot and how the one before it ended. */
export interface BootReading {
  readonly kind: 'boot';
  readonly bootedAtMs: number;
  /** Null where the end of the previous boot can't be read. */
  readonly previousEndedOrderly: boolean | null;
  readonly previousEndedAtMs: number | null;
}

/** EDAC error counters since boot. */
export interface MemoryErrorsReading {
  readonly kind: 'memory_errors';
  readonly correctable: number;
  readonly uncorrectable: number;
  readonly bootedAtMs: number | null;
}

/** One temperature sensor of the resource. */
export interface TemperatureReading extends Averaged {
  readonly kind: 'temperature';
  readonly sensor: string;
  readonly celsius: number;
  /** The device's own trip points; null where it names none. */
  readonly warnCelsius: number | null;
  readonly criticalCelsius: number | null;
  readonly deviceClass: 'hdd' | 'sata-ssd' | 'nvme' | 'cpu' | 'other';
}

/** How far the host's clock is off. */
export interface ClockReading {
  readonly kind: 'clock';
  /** Null where the source tells no synchronisation state. */
  readonly synchronised: boolean | null;
  readonly offsetMs: number | null;
  readonly estimatedErrorMs: number | null;
  /** The steps in which the source tells time: 1000 where it tells whole seconds. */
  readonly resolutionMs: number;
}

/** One network bond of a host. */
export interface BondReading {
  readonly kind: 'bond';
  readonly name: string;
  readonly members: readonly { readonly name: string; readonly up: boolean }[];
}
