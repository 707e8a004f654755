/** Config and snapshots of guests: one by one, since no list has them, and therefore a few in each patrol. */
import { z } from 'zod';
import { cleanText } from '../../../runtime/text.ts';
import { figure, text } from '../../proxmox/answer-fields.ts';
import { isDue } from '../../proxmox/due.ts';
import { apiPath } from '../../proxmox/proxmox-reader.ts';
import { changedGuests, guestsInTurn } from '../choose-guests.ts';
import type { VeGuest } from '../estate.ts';
import { bornAtOf, guestConfigSchema, hasAgent, leftOutOf } from '../guest-config.ts';
import { keepGuests, type RememberedGuest, recallGuests } from '../guest-memory.ts';
import { proxmoxVeLimits } from '../proxmox-ve-limits.ts';
import type { VeArea, VeWorld } from '../world.ts';

const snapshotItem = z.looseObject({ name: z.string().min(1).max(256), snaptime: figure, description: text });
/** Stands for the present state. */
const PRESENT = 'current';

export const guestDetailsArea: VeArea = {
  name: 'guest-details',
  read: async (world) => {
    const { clock, estate, out, state, tasks } = world;
    const memory = new Map(recallGuests(state));
    const nowMs = clock.nowMs();
    const watched = estate.guests.filter(({ isTemplate, node }) => !isTemplate && node?.online !== false);
    const changed = changedGuests(tasks.items, memory);
    const inTurn = isDue(world, 'daily')
      ? guestsInTurn({ guests: watched, memory, changed, nowMs })
      : watched.filter(({ vmid }) => changed.has(vmid)).slice(0, proxmoxVeLimits.changedPerWatch);
    const read = new Set(inTurn);
    await Promise.all(
      inTurn.map(async (guest) => {
        const remembered = await readGuest(world, guest, memory.get(guest.vmid));
        if (remembered !== null) memory.set(guest.vmid, remembered);
      }),
    );
    // Of those that had some, findings may speak: they stay as they are until it is their turn.
    for (const guest of watched) {
      if (read.has(guest) || (memory.get(guest.vmid)?.s ?? 0) === 0) continue;
      out.expect(guest.ref, 'snapshots');
      const reason = `snapshots are listed once a day, of ${proxmoxVeLimits.guestDetailsPerSurvey} guests in a patrol`;
      out.gap({ ref: guest.ref, reads: ['snapshots'], code: 'not_due', reason });
    }
    keepGuests(state, memory, new Set(estate.guests.map(({ vmid }) => vmid)));
  },
};

/** What is to be remembered; null: its config could not be read. */
const readGuest = async (
  world: VeWorld,
  guest: VeGuest,
  before: RememberedGuest | undefined,
): Promise<RememberedGuest | null> => {
  const { ask, clock } = world;
  const base = apiPath('nodes', guest.stats.node, guest.type, guest.vmid);
  const [config, count] = await Promise.all([
    ask.get(`${base}/config`, guestConfigSchema),
    readSnapshots(world, guest, base),
  ]);
  if (!config.ok) return null;
  const born = bornAtOf(config.value);
  const leftOut = [...leftOutOf(config.value)];
  const { x: _before, ...kept } = before ?? { at: 0 };
  return {
    ...kept,
    ...(born === null ? {} : { b: born }),
    ...(leftOut.length === 0 ? {} : { x: leftOut }),
    o: config.value.onboot === true ? 1 : 0,
    a: hasAgent(config.value) ? 1 : 0,
    s: count ?? before?.s ?? 0,
    at: Math.round(clock.nowMs() / 1000),
  };
};

/** How many there are; null: not told. */
const readSnapshots = async ({ ask, clock, out }: VeWorld, { ref }: VeGuest, base: string): Promise<number | null> => {
  out.expect(ref, 'snapshots');
  const read = await ask.list(`${base}/snapshot`, snapshotItem);
  if (!read.ok) {
    out.gap({ ref, reads: ['snapshots'], code: read.failure.code, reason: read.failure.reason });
    return null;
  }
  if (!read.value.items.some(({ name }) => name === PRESENT)) {
    const reason = `the list of snapshots of ${ref} lacks its present state, which every whole one has`;
    out.gap({ ref, reads: ['snapshots'], code: 'malformed', reason });
    return null;
  }
  const snapshots = read.value.items.flatMap(({ name, snaptime }) =>
    name === PRESENT || snaptime === undefined
      ? []
      : [{ name: cleanText(name, proxmoxVeLimits.nameLength), createdAtMs: snaptime * 1000 }],
  );
  out.read(ref, { kind: 'snapshots', snapshots }, clock.nowMs());
  return snapshots.length;
};
