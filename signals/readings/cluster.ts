/** Readings of a cluster of hypervisors, its nodes, and what they share. */

/** Votes of a cluster. */
export interface QuorumReading {
  readonly kind: 'quorum';
  readonly quorate: boolean;
  readonly nodes: readonly { readonly name: string; readonly online: boolean | null }[];
}

/** Whether a node answers its cluster. */
export interface NodeStateReading {
  readonly kind: 'node_state';
  /** Null: the cluster does not know. */
  readonly online: boolean | null;
}

/** Health of Ceph, with its checks by name. */
export interface CephReading {
  readonly kind: 'ceph';
  readonly health: 'HEALTH_OK' | 'HEALTH_WARN' | 'HEALTH_ERR';
  readonly checks: readonly CephCheck[];
}

export interface CephCheck {
  /** Such as `OSD_DOWN`. */
  readonly name: string;
  readonly severity: 'HEALTH_WARN' | 'HEALTH_ERR';
  readonly summary: string;
  readonly muted: boolean;
}

/** Whether a storage can be used where it should be. Its space is a reading of its own. */
export interface StorageStateReading {
  readonly kind: 'storage_state';
  readonly enabled: boolean;
  /** By the nodes that are online and should have it; null: unknown. */
  readonly active: boolean | null;
  /** Nodes that are online, should have it, and do not. */
  readonly inactiveOn: readonly string[];
  /** Whether disks of guests live on it. Null: can't tell. */
  readonly holdsGuestDisks: boolean | null;
}
