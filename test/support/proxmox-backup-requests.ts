/** How many requests a survey of a backup server costs: the formula that docs/sources.md gives. */

export interface BackupServerSize {
  readonly datastores: number;
  /** Of all datastores, the root namespace of each included. */
  readonly namespaces: number;
  readonly solidStateDisks: number;
  readonly rotatingDisks: number;
  readonly zfsPools: number;
  /** Namespaces in which more than four groups changed. */
  readonly changedNamespaces: number;
  /** Groups that changed in the others. */
  readonly changedGroups: number;
}

export const backupWatchRequests = (): number => 3;

export const backupHourlyRequests = (size: BackupServerSize): number =>
  12 + size.datastores + size.namespaces + size.solidStateDisks + size.zfsPools;

export const backupPatrolRequests = (size: BackupServerSize): number =>
  backupHourlyRequests(size) + 1 + size.rotatingDisks + size.changedNamespaces + size.changedGroups;
