/** Every area, in the order in which they are read: what is claimed first is there for those that follow. */
import type { PbsArea } from '../world.ts';
import { datastoresArea } from './datastores.ts';
import { disksArea } from './disks.ts';
import { groupsArea } from './groups.ts';
import { hostArea } from './host.ts';
import { upkeepArea } from './upkeep.ts';

export const areas: readonly PbsArea[] = [hostArea, datastoresArea, upkeepArea, groupsArea, disksArea];
