/** Datastores: whether they can be used, how full they are, and how they filled. */
import { z } from 'zod';
import { metrics, type Sample } from '../../../../signals/history.ts';
import { cleanText } from '../../../runtime/text.ts';
import type { BackupStore } from '../backup-store.ts';
import { storeKeys } from '../identity-keys.ts';
import { proxmoxBackupLimits } from '../proxmox-backup-limits.ts';
import { spaceOwners } from '../store-space.ts';
import { HOST_REF, type PbsArea, type PbsWorld } from '../world.ts';

export const datastoresArea: PbsArea = {
  name: 'datastores',
  read: async (world) => {
    const { out, rights, stores } = world;
    const sizes = recallSizes(world);
    const owners = spaceOwners(stores.filter(({ closed }) => closed === null));
    for (const store of stores) {
      claimStore(world, store);
      readState(world, store);
      const owner = owners.get(store.ref) ?? store.ref;
      if (owner === store.ref) readSpace(world, store, sizes);
      else out.facts(store.ref, { spaceOf: owner });
    }
    keepSizes(world, sizes);
    if (rights.hasBelow('/datastore', 'Datastore.Audit')) out.list('datastore', HOST_REF);
  },
};

const claimStore = ({ clock, out, server }: PbsWorld, { name, ref, usage, closed }: BackupStore): void => {
  const shown = cleanText(name, proxmoxBackupLimits.nameLength);
  const fullAtMs = (usage['estimated-full-date'] ?? 0) * 1000;
  const gc = usage['gc-status'];
  out.claim({
    ref,
    kind: 'datastore',
    name: shown,
    slug: shown,
    parentRef: HOST_REF,
    keys: storeKeys(server, name),
    status: closed === null ? 'running' : closed.kind === 'broken' ? 'failed' : 'stopped',
    expects: ['storage_state'],
    facts: {
      product: 'proxmox-backup',
      // 0, or a time that is over: it does not fill.
      ...(fullAtMs > clock.nowMs() ? { estimatedFullAtMs: fullAtMs } : {}),
      ...(gc?.['still-bad'] === undefined ? {} : { badChunks: gc['still-bad'] }),
    },
  });
};

const readState = ({ clock, out, server }: PbsWorld, { ref, closed }: BackupStore): void => {
  const isUsable = closed === null;
  out.read(
    ref,
    {
      kind: 'storage_state',
      enabled: isUsable || closed.kind === 'broken',
      active: isUsable,
      inactiveOn: isUsable ? [] : [cleanText(server.name, proxmoxBackupLimits.nameLength)],
      holdsGuestDisks: false,
    },
    clock.nowMs(),
  );
  if (closed !== null) out.gap({ ref, reads: ['capacity'], code: closed.code, reason: closed.reason });
};

const readSpace = ({ clock, out }: PbsWorld, { ref, name, usage, closed }: BackupStore, sizes: Sizes): void => {
  const { total, used, avail } = usage;
  out.expect(ref, 'capacity');
  if (closed !== null || total === undefined || used === undefined || avail === undefined || total <= 0) return;
  out.read(ref, { kind: 'capacity', sizeBytes: total, usedBytes: used, availableBytes: avail }, clock.nowMs());
  const size = sizeNow(sizes.get(name), total, clock.nowMs());
  sizes.set(name, size);
  const samples = pastOf(usage, total, size.sinceMs, clock.nowMs());
  out.series({ ref, metric: metrics.usedBytes, samples });
  out.series({ ref, metric: metrics.sizeBytes, samples: samples.map((sample) => ({ ...sample, value: total })) });
};

interface Size {
  readonly bytes: number;
  /** Null: since before it was first seen. */
  readonly sinceMs: number | null;
}
type Sizes = Map<string, Size>;

const SIZES_KEY = 'sizes';
const sizesSchema = z.record(z.string(), z.object({ bytes: z.number(), sinceMs: z.number().nullable() }));

const recallSizes = ({ state }: PbsWorld): Sizes =>
  new Map(Object.entries(sizesSchema.safeParse(state.get(SIZES_KEY)).data ?? {}));

const keepSizes = ({ state }: PbsWorld, sizes: Sizes): void => state.set(SIZES_KEY, Object.fromEntries(sizes));

/** File systems that share a pool differ a little from look to look. */
const RESIZED = 0.02;

/** The history holds shares of the size that there was: what is from before a resize can't be told in bytes. */
const sizeNow = (before: Size | undefined, bytes: number, nowMs: number): Size => {
  if (before === undefined) return { bytes, sinceMs: null };
  return Math.abs(bytes - before.bytes) > RESIZED * before.bytes ? { bytes, sinceMs: nowMs } : before;
};

const pastOf = (
  usage: PbsWorld['stores'][number]['usage'],
  total: number,
  sinceMs: number | null,
  nowMs: number,
): readonly Sample[] => {
  const { history = [], 'history-start': start, 'history-delta': delta } = usage;
  if (start === undefined || delta === undefined || delta <= 0) return [];
  return history.slice(-proxmoxBackupLimits.historyPoints).flatMap((share, index, kept) => {
    const atMs = (start + (history.length - kept.length + index) * delta) * 1000;
    const isOurs = atMs <= nowMs && atMs >= (sinceMs ?? 0);
    return share === null || !isOurs ? [] : [{ atMs, value: Math.round(share * total), windowMs: 0 }];
  });
};
