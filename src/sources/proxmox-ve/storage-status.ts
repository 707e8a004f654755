/** Whether one node can use one storage, by its own word. */
import { z } from 'zod';
import { flag } from '../proxmox/answer-fields.ts';
import type { ProxmoxFailure } from '../proxmox/proxmox-failure.ts';
import type { ProxmoxReader } from '../proxmox/proxmox-reader.ts';

export interface StorageStatus {
  readonly enabled: boolean;
  /** Null: the node did not say. */
  readonly active: boolean | null;
  readonly failure: ProxmoxFailure | null;
}

const schema = z.looseObject({ active: flag, enabled: flag });

export const storageStatus = async (ask: ProxmoxReader, path: string): Promise<StorageStatus> => {
  const read = await ask.get(path, schema);
  if (!read.ok) return { enabled: true, active: null, failure: read.failure };
  return { enabled: read.value.enabled ?? true, active: read.value.active ?? null, failure: null };
};
