/** Whose turn it is to be looked at in detail. Pure. */
import type { VeGuest } from './estate.ts';
import type { GuestMemory } from './guest-memory.ts';
import { proxmoxVeLimits } from './proxmox-ve-limits.ts';
import type { TaskItem } from './tasks.ts';

/** Task types that change a guest's config or snapshots. */
const CHANGES = /^(?:qm|vz)(?:snapshot|delsnapshot|rollback|create|restore|clone|config|template|move|destroy)/;

/** Guests that a task has changed since they were read. */
export const changedGuests = (tasks: readonly TaskItem[], memory: GuestMemory): ReadonlySet<string> =>
  new Set(
    tasks.flatMap(({ type, id, starttime, endtime }) => {
      const readAtS = id === undefined ? undefined : memory.get(id)?.at;
      const isNewer = readAtS !== undefined && (endtime ?? starttime ?? 0) > readAtS;
      return id !== undefined && CHANGES.test(type) && isNewer ? [id] : [];
    }),
  );

export interface TurnInput {
  readonly guests: readonly VeGuest[];
  readonly memory: GuestMemory;
  readonly changed: ReadonlySet<string>;
  readonly nowMs: number;
}

/** Changed ones first, then those that were never read, then the longest unread; what was read lately has no turn. */
export const guestsInTurn = ({ guests, memory, changed, nowMs }: TurnInput): readonly VeGuest[] => {
  const readAtMs = ({ vmid }: VeGuest): number => (changed.has(vmid) ? -1 : (memory.get(vmid)?.at ?? 0) * 1000);
  return guests
    .filter((guest) => nowMs - readAtMs(guest) >= proxmoxVeLimits.guestDetailsMs || readAtMs(guest) > nowMs)
    .toSorted((a, b) => readAtMs(a) - readAtMs(b))
    .slice(0, proxmoxVeLimits.guestDetailsPerSurvey);
};
