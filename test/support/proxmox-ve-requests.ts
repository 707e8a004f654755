/** How many requests a survey of a cluster takes: the formula of docs/sources.md, for tests and benchmarks. */
import { proxmoxVeLimits } from '../../src/sources/proxmox-ve/proxmox-ve-limits.ts';

export interface ClusterSize {
  /** Online ones. */
  readonly nodes: number;
  /** Disks that are asked for their health. */
  readonly disks: number;
  readonly zfsPools: number;
  /** Storages that hold backups: a local one counts on each node, a shared one once. */
  readonly backupStorages: number;
  /** Enabled ones. */
  readonly backupJobs: number;
  /** Nodes with guests that are replicated. */
  readonly replicatingNodes: number;
  /** Guests, templates apart, whose details are due. */
  readonly guestsDue: number;
  /** Running virtual machines with an agent. */
  readonly agents: number;
  /** Guests and, in a watch, nodes whose use looks high. */
  readonly suspects: number;
  readonly usesHa: boolean;
}

/** Version, rights, membership, resources, storages, tasks, backup jobs, replication jobs, Ceph. */
const OF_THE_CLUSTER = 9;
/** Time, status, certificates, disks, ZFS, LVM, history, backup tasks. */
const OF_EACH_NODE = 8;

/** A patrol that is not the first; that one asks once more, for the cluster's CA. */
export const patrolRequests = (size: ClusterSize): number =>
  OF_THE_CLUSTER +
  OF_EACH_NODE * size.nodes +
  size.disks +
  size.zfsPools +
  size.backupStorages +
  size.backupJobs +
  size.replicatingNodes +
  2 * Math.min(size.guestsDue, proxmoxVeLimits.guestDetailsPerSurvey) +
  Math.min(size.agents, proxmoxVeLimits.agentsPerPatrol) +
  Math.min(size.suspects, proxmoxVeLimits.suspectsPerSurvey) +
  (size.usesHa ? 1 : 0);

/** Version, rights, membership, resources, tasks. */
const OF_A_WATCH = 5;

export const watchRequests = (size: Pick<ClusterSize, 'agents' | 'suspects' | 'usesHa'>): number =>
  OF_A_WATCH +
  Math.min(size.agents, proxmoxVeLimits.agentsPerWatch) +
  Math.min(size.suspects, proxmoxVeLimits.suspectsPerSurvey) +
  (size.usesHa ? 1 : 0);
