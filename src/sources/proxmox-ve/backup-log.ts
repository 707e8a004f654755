/** The log of a backup task: where it wrote to, whom it took, and whose backup failed. Pure. */
import { redactSecrets } from '../../runtime/redact-secrets.ts';
import { cleanText } from '../../runtime/text.ts';
import { proxmoxVeLimits } from './proxmox-ve-limits.ts';

export interface BackupLog {
  /** Null: the log does not tell. */
  readonly storage: string | null;
  /** Guests whose backup was begun. */
  readonly begun: readonly string[];
  readonly finished: readonly string[];
  /** Why, by VMID. */
  readonly failed: Readonly<Record<string, string>>;
}

/** vzdump's messages are not translated; where they are written otherwise, the log tells nothing. */
const COMMAND = /\bvzdump\b.*?--storage[ =](\S+)/;
const BEGUN = /Starting Backup of (?:VM|CT) (\S+)/i;
const FINISHED = /Finished Backup of (?:VM|CT) (\S+)/i;
const FAILED = /Backup of (?:VM|CT) (\S+) failed\s*-?\s*(.*)$/i;

export const readBackupLog = (lines: readonly string[]): BackupLog => {
  let storage: string | null = null;
  const begun: string[] = [];
  const finished: string[] = [];
  const failed: Record<string, string> = {};
  for (const line of lines) {
    storage ??= COMMAND.exec(line)?.[1] ?? null;
    const [, broken, reason = ''] = FAILED.exec(line) ?? [];
    if (broken !== undefined) failed[broken] = cleanText(redactSecrets(reason), proxmoxVeLimits.reasonLength);
    const started = BEGUN.exec(line)?.[1];
    if (started !== undefined) begun.push(started);
    const done = FINISHED.exec(line)?.[1];
    if (done !== undefined) finished.push(done);
  }
  return { storage, begun, finished, failed };
};
