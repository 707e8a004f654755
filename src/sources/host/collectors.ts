/** Everything that is read of a machine. */
import { collectBonds } from './bonds.ts';
import { collectBoot } from './boot.ts';
import { collectBtrfs } from './btrfs.ts';
import { collectClock } from './clock.ts';
import { listing } from './complete-list.ts';
import { collectCpu } from './cpu.ts';
import { collectDisks } from './disks.ts';
import { createFilesystemsCollector } from './filesystems.ts';
import type { NamedCollector } from './guard.ts';
import { collectMdArrays } from './md-arrays.ts';
import { collectMemory } from './memory.ts';
import { collectMemoryErrors } from './memory-errors.ts';
import type { SpaceAsker } from './mount-space.ts';
import { collectOomKills } from './oom-kills.ts';
import { collectTemperatures } from './temperatures.ts';
import { collectThinPools } from './thin-pools.ts';
import { collectUnits } from './units.ts';
import { collectZpools } from './zpools.ts';

export const hostCollectors = (asker: SpaceAsker): readonly NamedCollector[] => [
  { name: 'cpu', reads: ['cpu'], collect: collectCpu },
  { name: 'memory', reads: ['memory'], collect: collectMemory },
  { name: 'file systems', reads: ['filesystem'], collect: createFilesystemsCollector(asker) },
  { name: 'disks', reads: ['smart', 'temperature'], collect: collectDisks },
  { name: 'arrays', reads: ['array'], collect: listing('array', [collectMdArrays, collectBtrfs]) },
  {
    name: 'pools',
    reads: ['zfs_pool', 'capacity', 'thin_pool'],
    collect: listing('pool', [collectZpools, collectThinPools]),
  },
  { name: 'units', reads: ['unit'], collect: collectUnits },
  { name: 'OOM kills', reads: ['oom_kills'], collect: collectOomKills },
  { name: 'boots', reads: ['boot'], collect: collectBoot },
  { name: 'memory errors', reads: ['memory_errors'], collect: collectMemoryErrors },
  { name: 'temperatures', reads: ['temperature'], collect: collectTemperatures },
  { name: 'clock', reads: ['clock'], collect: collectClock },
  { name: 'bonds', reads: ['bond'], collect: collectBonds },
];
