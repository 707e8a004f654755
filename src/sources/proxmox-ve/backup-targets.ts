/** Where backups go, under the name that every source gives it. */
import { type BackupPlace, backupTarget } from '../proxmox/backup-target.ts';
import type { VeStorage } from './estate.ts';
import type { StorageConfig } from './storage-configs.ts';

export interface BackupStorage {
  readonly id: string;
  /** The subject of findings. */
  readonly target: string;
  /** Null: it is no backup server. */
  readonly place: BackupPlace | null;
  /** One for each node where it is local, else one. */
  readonly parts: readonly VeStorage[];
}

/** Storages that may hold backups, by id. Several that write to one place are one target. */
export const backupStorages = (
  storages: readonly VeStorage[],
  configs: ReadonlyMap<string, StorageConfig>,
): ReadonlyMap<string, BackupStorage> => {
  const holding = storages.filter(({ content, plugin }) => content.has('backup') || plugin === 'pbs');
  const groups = Map.groupBy(holding, ({ id }) => id);
  return new Map(
    [...groups].map(([id, parts]) => {
      const place = configs.get(id)?.backupServer ?? null;
      return [id, { id, target: place === null ? id : backupTarget(place), place, parts }] as const;
    }),
  );
};
