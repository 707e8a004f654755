/** How datastores and groups of a backup server are known to this source and to others. */
import { hint, type IdentityKey } from '../../../signals/claim.ts';
import { backupGroupKey, backupTarget, datastoreKey } from '../proxmox/backup-target.ts';
import type { BackupType } from './answers.ts';
import type { ProxmoxBackupConfig } from './proxmox-backup-config.ts';
import { type BackupServer, calledBy, namesOf } from './server.ts';

/** A certificate is renewed, an address changes: hints, of which one is enough. */
export const storeKeys = (server: BackupServer, datastore: string): readonly IdentityKey[] => [
  ...namesOf(server).map((name) => hint(datastoreKey({ server: name, datastore }))),
  hint(`pbs-datastore-named:${server.name}/${datastore}`),
];

export interface GroupPlace {
  readonly datastore: string;
  /** Empty: the root namespace. */
  readonly namespace: string;
  readonly type: BackupType;
  readonly id: string;
}

/** What the guest answers to that the group is made of. */
export const groupNames = (server: BackupServer, place: GroupPlace): readonly string[] => {
  const { datastore, namespace, type, id } = place;
  return namesOf(server).map((name) => backupGroupKey({ server: name, datastore, namespace }, type, id));
};

export const targetOf = (
  server: BackupServer,
  config: ProxmoxBackupConfig,
  datastore: string,
  namespace: string,
): string => backupTarget({ server: calledBy(server, config), datastore, namespace });
