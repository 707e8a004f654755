/** A datastore as the server's lists tell it, and whether it can be looked into. Pure. */
import type { GapCode } from '../../../signals/survey.ts';
import { redactSecrets } from '../../runtime/redact-secrets.ts';
import { cleanText } from '../../runtime/text.ts';
import type { UsageItem } from './answers.ts';
import { proxmoxBackupLimits } from './proxmox-backup-limits.ts';

export interface BackupStore {
  readonly name: string;
  readonly ref: string;
  readonly usage: UsageItem;
  /** Null: it can be looked into. */
  readonly closed: Closed | null;
}

export interface Closed {
  /** `away`: a medium that is not mounted. `maintenance`: switched off by the operator. `broken`: it should work. */
  readonly kind: 'away' | 'maintenance' | 'broken';
  readonly code: GapCode;
  readonly reason: string;
}

export const storeRef = (name: string): string => `datastore:${name}`;

/** Modes in which nothing can be read. `read-only` is none of them. */
const SHUT = /^(?:type=)?(?:offline|delete|unmount|s3-refresh)\b/i;

/** `type=offline,message="disk swap"`, or the mode alone. */
export const isShut = (maintenance: string | undefined): boolean => SHUT.test(maintenance ?? '');

const clean = (text: string): string => cleanText(redactSecrets(text), proxmoxBackupLimits.reasonLength);

export const toStore = (usage: UsageItem, maintenance: string | undefined): BackupStore => {
  const name = cleanText(usage.store, proxmoxBackupLimits.nameLength);
  return { name: usage.store, ref: storeRef(usage.store), usage, closed: whyClosed(name, usage, maintenance) };
};

const whyClosed = (name: string, usage: UsageItem, maintenance: string | undefined): Closed | null => {
  if (usage['mount-status'] === 'notmounted') {
    return { kind: 'away', code: 'asleep', reason: `the medium of datastore ${name} is not mounted` };
  }
  if (isShut(maintenance)) {
    const mode = clean(maintenance ?? '');
    return { kind: 'maintenance', code: 'not_answering', reason: `datastore ${name} is in maintenance (${mode})` };
  }
  if (usage.error === undefined || usage.error === '') return null;
  // Without its mode being known: the server says it in these words (pbs-api-types, MaintenanceMode::check).
  const kind = /maintenance mode/i.test(usage.error) ? 'maintenance' : 'broken';
  return { kind, code: 'not_answering', reason: `datastore ${name} can't be used: ${clean(usage.error)}` };
};
