/** How a backup server's store is called by whoever writes to it and by itself, so that one problem is one finding. */

export interface BackupPlace {
  /** SHA-256 of the server's certificate, 64 upper-case hex digits; where none is known its address. */
  readonly server: string;
  readonly datastore: string;
  /** Empty: the root namespace. */
  readonly namespace: string;
}

/** Enough to tell two servers apart, short enough to be read. */
const FINGERPRINT_DIGITS = 8;

/** `store1` on a server, as `pbs:1A2B3C4D/store1` or `pbs:backup.example/store1/site-a`. */
export const backupTarget = ({ server, datastore, namespace }: BackupPlace): string => {
  const shown = /^[0-9A-F]{64}$/.test(server) ? server.slice(0, FINGERPRINT_DIGITS) : server;
  return `pbs:${shown}/${datastore}${namespace === '' ? '' : `/${namespace}`}`;
};
/** Identity key of one group of backups: the guest that it is made of claims the same. */
export const backupGroupKey = (
  { server, datastore, namespace }: BackupPlace,
  type: 'vm' | 'ct' | 'host',
  id: string,
): string => `pbs-group:${server}/${datastore}/${namespace}/${type}/${id}`;

/** Identity key of a store, as its own server claims it too. */
export const datastoreKey = ({ server, datastore }: Omit<BackupPlace, 'namespace'>): string =>
  `pbs-datastore:${server}/${datastore}`;
