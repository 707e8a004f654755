/** Limits of one survey of one backup server. Hitting one is a gap. */

const HOUR_MS = 3_600_000;

export const proxmoxBackupLimits = {
  datastores: 256,
  namespacesPerDatastore: 500,
  /** Of one datastore: what is remembered of so many fits into one entry of the source's memory. */
  groupsPerDatastore: 6_000,
  jobs: 1_000,
  nameLength: 128,
  /** 7 namespaces, one below the other. */
  namespaceLength: 256,
  reasonLength: 300,
  /** Lists that are read at the same time: each may be some megabytes. */
  listsAtOnce: 3,
  /** Groups whose snapshots are asked for one by one; for more of them the whole namespace is listed at once. */
  groupListsPerNamespace: 4,
  /** A namespace with more snapshots than that is never listed at once: that would be 15 MB of answer. */
  snapshotsPerList: 30_000,
  /** Snapshot lists of single groups in one survey; the rest has its turn in the next ones. */
  groupListsPerSurvey: 200,
  /** No list of snapshots is begun later than this into a survey: a server on slow disks has its turn in parts. */
  snapshotListsMs: 120_000,
  /** After this long the snapshots of a group that did not change are read again: somebody may have verified by hand. */
  rereadMs: 7 * 24 * HOUR_MS,
  /** Failed snapshots of one group that are kept in mind. */
  failedPerGroup: 5,
  /** Failed snapshots of one target that are told of. */
  failedPerTarget: 100,
  /** How far back failed tasks are looked at, at the first survey. */
  tasksBackMs: 8 * 24 * HOUR_MS,
  tasks: 2_000,
  /** What was begun so long ago and is not complete has been given up, also where tasks can't be seen. */
  unfinishedMs: 24 * HOUR_MS,
  disks: 128,
  pools: 64,
  historyPoints: 3_000,
} as const;
