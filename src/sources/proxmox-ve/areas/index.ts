/** Every area, in the order in which they are read: what is claimed first is there for those that follow. */
import type { VeArea } from '../world.ts';
import { agentsArea } from './agents.ts';
import { backupsArea } from './backups.ts';
import { cephArea } from './ceph.ts';
import { clusterArea } from './cluster.ts';
import { containerSpaceArea } from './container-space.ts';
import { guestDetailsArea } from './guest-details.ts';
import { guestsArea } from './guests.ts';
import { nodeDetailsArea } from './node-details.ts';
import { replicationArea } from './replication.ts';
import { storagesArea } from './storages.ts';
import { useArea } from './use.ts';

export const areas: readonly VeArea[] = [
  clusterArea,
  guestsArea,
  nodeDetailsArea,
  storagesArea,
  useArea,
  containerSpaceArea,
  guestDetailsArea,
  agentsArea,
  backupsArea,
  replicationArea,
  cephArea,
];
