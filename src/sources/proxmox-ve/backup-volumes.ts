/** Disks of guests, and whether a job takes them along. */
import { z } from 'zod';
import type { BackupVolumesReading } from '../../../signals/reading.ts';
import { cleanText } from '../../runtime/text.ts';
import { flag, identifier, text } from '../proxmox/answer-fields.ts';
import type { ProxmoxFailure } from '../proxmox/proxmox-failure.ts';
import { apiPath } from '../proxmox/proxmox-reader.ts';
import type { BackupJob } from './backup-jobs.ts';
import type { GuestMemory } from './guest-memory.ts';
import type { VeWorld } from './world.ts';

const volume = z.looseObject({ id: z.string().min(1).max(128), included: flag, reason: text });
const guestItem = z.looseObject({ id: identifier, type: text, children: z.array(z.unknown()).optional() });
const answer = z.looseObject({ children: z.array(z.unknown()) });

type Volume = BackupVolumesReading['volumes'][number];

export interface IncludedVolumes {
  readonly byGuest: ReadonlyMap<string, readonly Volume[]>;
  /** Null: every enabled job told. */
  readonly failure: ProxmoxFailure | null;
}

/** One question for each enabled job, however many guests it takes. */
export const readBackupVolumes = async (
  { ask }: VeWorld,
  jobs: readonly BackupJob[],
  memory: GuestMemory,
): Promise<IncludedVolumes> => {
  const byGuest = new Map<string, Map<string, Volume>>();
  let failure: ProxmoxFailure | null = null;
  const reads = await Promise.all(
    jobs
      .filter(({ enabled }) => enabled)
      .map(({ id }) => ask.get(apiPath('cluster', 'backup', id, 'included_volumes'), answer)),
  );
  for (const read of reads) {
    if (!read.ok) failure = read.failure;
    else for (const child of read.value.children) addGuest(byGuest, child, memory);
  }
  return { byGuest: new Map([...byGuest].map(([vmid, volumes]) => [vmid, [...volumes.values()]])), failure };
};

const addGuest = (byGuest: Map<string, Map<string, Volume>>, child: unknown, memory: GuestMemory): void => {
  const guest = guestItem.safeParse(child).data;
  if (guest === undefined) return;
  const own = byGuest.get(guest.id) ?? new Map<string, Volume>();
  byGuest.set(guest.id, own);
  for (const entry of guest.children ?? []) {
    const checked = volume.safeParse(entry).data;
    if (checked === undefined) continue;
    const name = cleanText(checked.id.slice(checked.id.indexOf(':') + 1), 64);
    const included = checked.included === true || own.get(name)?.included === true;
    const excluded = memory.get(guest.id)?.x?.includes(name) === true;
    const excludedOnPurpose = !included && isOnPurpose(guest.type, checked.reason, excluded);
    own.set(name, { name, sizeBytes: null, included, excludedOnPurpose });
  }
};

/**
 * A disk of a virtual machine is taken unless somebody switched it off; a mount point of a container only if somebody
 * switched it on, so that its config has to say `backup=0`. What is no volume can't be taken at all.
 */
const isOnPurpose = (type: string | undefined, reason: string | undefined, excluded: boolean): boolean =>
  type === 'qemu' || excluded || (reason !== undefined && reason !== 'disabled');
