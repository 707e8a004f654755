/** Every area, in the order in which they are mapped: later ones may look at what earlier ones claimed. */
import type { Area } from '../area.ts';
import type { NamedQuery } from '../named-query.ts';
import { arraysArea } from './arrays.ts';
import { bondsArea } from './bonds.ts';
import { clockArea } from './clock.ts';
import { containersArea } from './containers.ts';
import { cpuArea } from './cpu.ts';
import { disksArea } from './disks.ts';
import { filesystemsArea } from './filesystems.ts';
import { hostsArea } from './hosts.ts';
import { memoryArea } from './memory.ts';
import { memoryErrorsArea } from './memory-errors.ts';
import { oomKillsArea } from './oom-kills.ts';
import { poolsArea } from './pools.ts';
import { probesArea } from './probes.ts';
import { smartArea } from './smart.ts';
import { targetsArea } from './targets.ts';
import { temperaturesArea } from './temperatures.ts';
import { unitsArea } from './units.ts';

export const areas: readonly Area[] = [
  targetsArea,
  hostsArea,
  cpuArea,
  memoryArea,
  disksArea,
  smartArea,
  temperaturesArea,
  poolsArea,
  filesystemsArea,
  arraysArea,
  unitsArea,
  clockArea,
  bondsArea,
  memoryErrorsArea,
  oomKillsArea,
  containersArea,
  probesArea,
];

/** Every question that can be asked; recordings hold an answer under each name. */
export const namedQueries: readonly NamedQuery[] = areas.flatMap(({ queries }) => queries);
