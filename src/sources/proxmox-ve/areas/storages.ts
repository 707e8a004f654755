/** Storages: whether they can be used where they should be, and how full they are; shared ones counted once. */
import { hint } from '../../../../signals/claim.ts';
import { cleanText } from '../../../runtime/text.ts';
import { type BackupPlace, datastoreKey } from '../../proxmox/backup-target.ts';
import { apiPath } from '../../proxmox/proxmox-reader.ts';
import { CLUSTER_REF, type VeStorage } from '../estate.ts';
import { storageKeys } from '../identity-keys.ts';
import { proxmoxVeLimits } from '../proxmox-ve-limits.ts';
import { spaceOwner } from '../storage-space.ts';
import { type StorageStatus, storageStatus } from '../storage-status.ts';
import { thinPoolRef } from '../thin-pool-part.ts';
import type { VeArea, VeWorld } from '../world.ts';
import { poolRef } from '../zfs-part.ts';

export const storagesArea: VeArea = {
  name: 'storages',
  read: async (world) => {
    const { estate, out, rights } = world;
    const owners = spaceOwner(estate.storages);
    await Promise.all(
      estate.storages.map(async (storage) => {
        claimStorage(world, storage);
        readSpace(world, storage, ownerOf(world, storage) ?? owners.get(storage.ref) ?? storage.ref);
        await readState(world, storage);
      }),
    );
    if (!rights.hasBelow('/storage', 'Datastore.Audit')) return;
    out.list('storage', null);
    out.list('datastore', null);
  },
};

const claimStorage = ({ estate, identity, out }: VeWorld, storage: VeStorage): void => {
  const [on] = storage.onNodes;
  const id = cleanText(storage.id, proxmoxVeLimits.nameLength);
  const node = storage.isShared ? null : (on?.node.name ?? null);
  const clusterRef = estate.cluster === null ? null : CLUSTER_REF;
  out.claim({
    ref: storage.ref,
    kind: 'storage',
    name: id,
    slug: id,
    parentRef: storage.isShared ? (clusterRef ?? on?.node.ref ?? null) : (on?.node.ref ?? null),
    keys: storageKeys(identity, storage.id, node),
    status: storage.onNodes.some(({ stats }) => stats.status === 'available') ? 'running' : 'unknown',
    expects: ['storage_state'],
    facts: {
      storageType: cleanText(storage.plugin, 64),
      content: [...storage.content].sort().join(',').slice(0, 200),
      shared: storage.isShared,
    },
  });
};

/** Nodes see a shared storage at different moments: the fullest view counts. */
const readSpace = ({ clock, out }: VeWorld, { ref, onNodes }: VeStorage, ownerRef: string): void => {
  if (ownerRef !== ref) out.facts(ref, { spaceOf: ownerRef });
  // A pool, or a storage that lies on the same space, speaks for itself; a backup server's store does not here.
  if (ownerRef !== ref && !ownerRef.startsWith(DATASTORE)) return;
  const views = onNodes.flatMap(({ node, stats: { disk, maxdisk } }) =>
    node.online !== false && disk !== undefined && maxdisk !== undefined && maxdisk > 0 ? [{ disk, maxdisk }] : [],
  );
  const [first] = views.sort((a, b) => b.disk / b.maxdisk - a.disk / a.maxdisk);
  if (first === undefined) return;
  const { disk, maxdisk } = first;
  const availableBytes = Math.max(0, maxdisk - disk);
  out.read(ownerRef, { kind: 'capacity', sizeBytes: maxdisk, usedBytes: disk, availableBytes }, clock.nowMs());
};

/** Only where a node's statistics lack it, the node itself is asked. */
const readState = async (world: VeWorld, storage: VeStorage): Promise<void> => {
  const { ask, clock, out } = world;
  const online = storage.onNodes.filter(({ node }) => node.online !== false);
  if (online.length === 0) {
    const reason = `no node that should have ${storage.id} is online`;
    out.gap({ ref: storage.ref, reads: [], code: 'unreachable', reason });
    return;
  }
  const states = await Promise.all(
    online.map(async ({ node, stats }): Promise<StorageStatus & { readonly node: string }> => {
      if (stats.status === 'available') return { node: node.name, enabled: true, active: true, failure: null };
      const path = apiPath('nodes', node.name, 'storage', storage.id, 'status');
      return { node: node.name, ...(await storageStatus(ask, path)) };
    }),
  );
  const inactiveOn = states.filter(({ active }) => active === false).map(({ node }) => node);
  const failure = states.find((state) => state.failure !== null)?.failure ?? null;
  const isActive = states.every(({ active }) => active === true);
  if (failure !== null && inactiveOn.length === 0) {
    out.gap({ ref: storage.ref, reads: ['storage_state', 'capacity'], code: failure.code, reason: failure.reason });
    return;
  }
  out.read(
    storage.ref,
    {
      kind: 'storage_state',
      enabled: states.some(({ enabled }) => enabled),
      active: inactiveOn.length > 0 ? false : isActive ? true : null,
      inactiveOn,
      holdsGuestDisks: storage.content.has('images') || storage.content.has('rootdir'),
    },
    clock.nowMs(),
  );
  if (inactiveOn.length === online.length) {
    const reason = `${storage.id} is not active on ${inactiveOn.join(', ')}`;
    out.gap({ ref: storage.ref, reads: ['capacity'], code: 'not_answering', reason });
  }
};

/** What lies on a pool that is watched itself is the pool's affair, what is on a backup server that of its store. */
const ownerOf = ({ out, storageConfigs }: VeWorld, { id, isShared, onNodes }: VeStorage): string | null => {
  const config = storageConfigs.get(id);
  const node = onNodes[0]?.node.name;
  if (config?.backupServer != null) return claimDatastore(out, config.backupServer);
  if (config === undefined || node === undefined || isShared) return null;
  const refs = [
    ...(config.zfsPool === null ? [] : [poolRef(node, config.zfsPool)]),
    ...(config.thinPool === null ? [] : [thinPoolRef(node, config.thinPool)]),
  ];
  return refs.find((ref) => out.has(ref)) ?? null;
};

const DATASTORE = 'datastore:';

/** Several storages may be namespaces of one store; its server, where that is watched too, claims it alike. */
const claimDatastore = (out: VeWorld['out'], place: BackupPlace): string => {
  const ref = `${DATASTORE}${place.server}/${place.datastore}`;
  const name = cleanText(place.datastore, proxmoxVeLimits.nameLength);
  out.claim({
    ref,
    kind: 'datastore',
    name,
    slug: `pbs-${name}`,
    keys: [hint(datastoreKey(place))],
    expects: ['capacity'],
  });
  return ref;
};
