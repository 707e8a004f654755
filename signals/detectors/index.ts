/** Every detector, in the order in which they are asked. */
import type { AnyDetector } from '../detector.ts';
import { bondDegraded } from './bond-degraded.ts';
import { clockSkew } from './clock-skew.ts';
import { diskFilling } from './disk-filling.ts';
import { filesystemReadOnly } from './filesystem-read-only.ts';
import { highCpu } from './high-cpu.ts';
import { highDisk } from './high-disk.ts';
import { highMemory } from './high-memory.ts';
import { inodesLow } from './inodes-low.ts';
import { memoryErrors } from './memory-errors.ts';
import { oomKill } from './oom-kill.ts';
import { raidDegraded } from './raid-degraded.ts';
import { smartFailure } from './smart-failure.ts';
import { temperatureHigh } from './temperature-high.ts';
import { thinPoolFull } from './thin-pool-full.ts';
import { unexpectedReboot } from './unexpected-reboot.ts';
import { zfsUnhealthy } from './zfs-unhealthy.ts';

export const detectors: readonly AnyDetector[] = [
  bondDegraded,
  clockSkew,
  diskFilling,
  filesystemReadOnly,
  highCpu,
  highDisk,
  highMemory,
  inodesLow,
  memoryErrors,
  oomKill,
  raidDegraded,
  smartFailure,
  temperatureHigh,
  thinPoolFull,
  unexpectedReboot,
  zfsUnhealthy,
];
