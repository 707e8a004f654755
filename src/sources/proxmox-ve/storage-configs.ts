/** How storages are set up: which pool, server or namespace is behind each. Read once an hour, remembered between. */
import { z } from 'zod';
import { normalizeFingerprint } from '../../runtime/http-tls.ts';
import { flag, text } from '../proxmox/answer-fields.ts';
import { isDue } from '../proxmox/due.ts';
import type { ProxmoxReader } from '../proxmox/proxmox-reader.ts';
import type { SourceState, SurveyRequest } from '../source.ts';

const configItem = z.looseObject({
  storage: z.string().min(1).max(128),
  type: z.string().max(64),
  disable: flag,
  /** `zfspool`: a pool or a dataset of one. */
  pool: text,
  vgname: text,
  thinpool: text,
  path: text,
  server: text,
  export: text,
  /** `pbs`. */
  datastore: text,
  namespace: text,
  fingerprint: text,
  nodes: text,
});

const kept = z.object({
  storage: z.string(),
  type: z.string(),
  disabled: z.boolean(),
  zfsPool: z.string().nullable(),
  thinPool: z.string().nullable(),
  backupServer: z
    .object({
      /** SHA-256 without colons where it is pinned, else the address. */
      server: z.string(),
      address: z.string(),
      datastore: z.string(),
      /** Empty: the root namespace. */
      namespace: z.string(),
    })
    .nullable(),
});
export type StorageConfig = z.infer<typeof kept>;

const STATE_KEY = 'storage-configs';

/** By storage. Empty where they were never read. */
export const readStorageConfigs = async (world: {
  readonly ask: ProxmoxReader;
  readonly state: SourceState;
  readonly request: SurveyRequest;
}): Promise<ReadonlyMap<string, StorageConfig>> => {
  const before = z.array(kept).safeParse(world.state.get(STATE_KEY)).data ?? [];
  const read = isDue(world, 'hourly') || before.length === 0 ? await world.ask.list('/storage', configItem) : null;
  const now = read?.ok === true ? read.value.items.map(toConfig) : before;
  if (read?.ok === true) world.state.set(STATE_KEY, now);
  return new Map(now.map((config) => [config.storage, config]));
};

const toConfig = (item: z.infer<typeof configItem>): StorageConfig => ({
  storage: item.storage,
  type: item.type,
  disabled: item.disable === true,
  zfsPool: item.type === 'zfspool' ? (item.pool?.split('/')[0] ?? null) : null,
  thinPool:
    item.type === 'lvmthin' && item.vgname !== undefined && item.thinpool !== undefined
      ? `${item.vgname}/${item.thinpool}`
      : null,
  backupServer:
    item.type === 'pbs' && item.server !== undefined && item.datastore !== undefined
      ? {
          server: normalizeFingerprint(item.fingerprint ?? '') ?? item.server.toLowerCase(),
          address: item.server.toLowerCase(),
          datastore: item.datastore,
          namespace: item.namespace ?? '',
        }
      : null,
});
