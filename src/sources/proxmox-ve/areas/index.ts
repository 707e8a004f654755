/** Every area, in the order in which they are read: what is claimed first is there for those that follow. */
import type { VeArea } from '../world.ts';
import { backupsArea } from './backups.ts';
import { clusterArea } from './cluster.ts';
import { guestDetailsArea } from './guest-details.ts';
import { guestsArea } from './guests.ts';
import { nodeDetailsArea } from './node-details.ts';
import { storagesArea } from './storages.ts';
import { useArea } from './use.ts';

export const areas: readonly VeArea[] = [
  clusterArea,
  guestsArea,
  nodeDetailsArea,
  storagesArea,
  useArea,
  guestDetailsArea,
  backupsArea,
];
