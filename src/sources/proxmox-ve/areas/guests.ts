/** Guests: who they are, whether they run, and whether they should. */
import type { ReadingKind } from '../../../../signals/reading.ts';
import { cleanText } from '../../../runtime/text.ts';
import { backupGroupKey } from '../../proxmox/backup-target.ts';
import { CLUSTER_REF, type VeGuest } from '../estate.ts';
import { recallGuests } from '../guest-memory.ts';
import { guestStatus, resourceStatus } from '../guest-status.ts';
import { foldGuestStops, type GuestStops, guestStopsSchema, NO_STOPS } from '../guest-stops.ts';
import { guestTags } from '../guest-tags.ts';
import { type HaServices, readHaServices, serviceId } from '../ha-services.ts';
import { guestKeys } from '../identity-keys.ts';
import { proxmoxVeLimits } from '../proxmox-ve-limits.ts';
import { isRunning, type RecentTasks } from '../tasks.ts';
import type { VeArea, VeWorld } from '../world.ts';

const STOPS_KEY = 'guest-stops';

export const guestsArea: VeArea = {
  name: 'guests',
  read: async (world) => {
    const { clock, estate, out, rights, state, tasks } = world;
    const ha = await readHaServices(world);
    const vmids = new Set(estate.guests.map(({ vmid }) => vmid));
    const before = guestStopsSchema.safeParse(state.get(STOPS_KEY)).data ?? NO_STOPS;
    const stops = foldGuestStops({ before, tasks, vmids, nowMs: clock.nowMs() });
    state.set(STOPS_KEY, stops);
    const memory = recallGuests(state);
    const busy = new Set(tasks.items.filter(isRunning).flatMap(({ id }) => (id === undefined ? [] : [id])));
    const context: GuestContext = { tasks, stops, busy, ha: ha.ok ? ha.value : null };
    for (const guest of estate.guests) {
      claimGuest(world, guest, memory.get(guest.vmid)?.b ?? null);
      if (!guest.isTemplate) readState(world, guest, context, memory.get(guest.vmid)?.o);
      if (!ha.ok && guest.stats.hastate !== undefined) {
        out.gap({ ref: guest.ref, reads: ['guest_state'], code: ha.failure.code, reason: ha.failure.reason });
      }
    }
    if (!rights.hasBelow('/vms', 'VM.Audit')) return;
    out.list('vm', null);
    out.list('container', null);
  },
};

interface GuestContext {
  readonly tasks: RecentTasks;
  readonly stops: GuestStops;
  readonly busy: ReadonlySet<string>;
  readonly ha: HaServices | null;
}

/** Far more namespaces than a cluster writes to; thousands of guests each answer to all of them. */
const PLACES_AT_MOST = 64;

/** The groups on backup servers that would be this guest's. */
const groupNames = ({ storageConfigs }: VeWorld, { kind, vmid }: VeGuest): readonly string[] => {
  const places = [...storageConfigs.values()].flatMap(({ backupServer }) => backupServer ?? []);
  const type = kind === 'vm' ? 'vm' : 'ct';
  return [...new Set(places.slice(0, PLACES_AT_MOST).map((place) => backupGroupKey(place, type, vmid)))];
};

/** Use is expected of what runs, and of what nobody tells whether it does. */
const expectsOf = ({ isTemplate, stats }: VeGuest): readonly ReadingKind[] => {
  const { power } = guestStatus(stats.status);
  if (isTemplate) return [];
  return power === 'running' || power === 'unknown' ? ['guest_state', 'cpu', 'memory'] : ['guest_state'];
};

const claimGuest = (world: VeWorld, guest: VeGuest, bornAtS: string | null): void => {
  const { estate, identity, out } = world;
  const { stats, node } = guest;
  out.claim({
    ref: guest.ref,
    kind: guest.kind,
    name: guest.name,
    slug: cleanText(guest.vmid, 64),
    parentRef: estate.cluster === null ? (node?.ref ?? null) : CLUSTER_REF,
    keys: guestKeys(identity, guest.vmid, bornAtS),
    answersTo: groupNames(world, guest),
    status: resourceStatus(guestStatus(stats.status)),
    tags: guestTags(stats.tags, stats.pool),
    expects: expectsOf(guest),
    facts: {
      vmid: guest.vmid,
      node: cleanText(stats.node, proxmoxVeLimits.nameLength),
      guestType: guest.type,
      ...(guest.isTemplate ? { template: true } : {}),
      ...(stats.maxcpu === undefined ? {} : { cpuCount: stats.maxcpu }),
    },
  });
};

const readState = (
  { clock, out }: VeWorld,
  guest: VeGuest,
  { tasks, stops, busy, ha }: GuestContext,
  onBoot: number | undefined,
): void => {
  const { stats, node } = guest;
  if (node?.online === false) {
    const reason = `its node ${node.name} is offline`;
    out.gap({ ref: guest.ref, reads: [], code: 'unreachable', reason });
    return;
  }
  const nowMs = clock.nowMs();
  const upS = node?.stats?.uptime ?? 0;
  const { power, pausedBecause } = guestStatus(stats.status);
  if (power === 'unknown') {
    const reason = `node ${stats.node} has no statistics of it`;
    out.gap({ ref: guest.ref, reads: ['cpu', 'memory'], code: 'empty', reason });
  }
  out.read(
    guest.ref,
    {
      kind: 'guest_state',
      power,
      pausedBecause,
      lock: stats.lock === undefined || stats.lock === '' ? null : cleanText(stats.lock, 64),
      taskRunning: tasks.areAllSeen ? busy.has(guest.vmid) || isInBackup(guest, tasks) : null,
      onBoot: onBoot === undefined ? null : onBoot === 1,
      nodeUpSinceMs: upS === 0 ? null : nowMs - upS * 1000,
      ha: ha?.get(serviceId(guest)) ?? null,
      lastStop: stops.stops[guest.vmid] ?? null,
      stopsKnownSinceMs: stops.knownSinceMs,
    },
    nowMs,
  );
};

/** One backup task works on many guests, one after the other; the lock tells whose turn it is. */
const isInBackup = ({ stats }: VeGuest, { items }: RecentTasks): boolean =>
  stats.lock === 'backup' &&
  items.some((task) => task.type === 'vzdump' && task.node === stats.node && isRunning(task));
