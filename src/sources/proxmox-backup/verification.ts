/** What is known of the verification of the backups in one namespace. Pure. */
import type { BackupVerificationReading } from '../../../signals/reading.ts';
import { cleanText } from '../../runtime/text.ts';
import type { NamespaceMemory } from './group-memory.ts';
import { proxmoxBackupLimits } from './proxmox-backup-limits.ts';

/** As the server writes it: `2026-03-01T02:00:00Z`. */
const timeOf = (atS: number): string => new Date(atS * 1000).toISOString().replace('.000Z', 'Z');

export const verificationOf = (target: string, { groups }: NamespaceMemory): BackupVerificationReading => {
  const failed = [...groups].flatMap(([group, { x = [] }]) =>
    x.map((atS) => ({
      backup: `${cleanText(group, proxmoxBackupLimits.nameLength)}/${timeOf(atS)}`,
      atMs: atS * 1000,
    })),
  );
  const sum = (field: 'v' | 'u'): number =>
    [...groups.values()].reduce((total, entry) => total + (entry[field] ?? 0), 0);
  return {
    kind: 'backup_verification',
    target,
    failed: failed.toSorted((a, b) => b.atMs - a.atMs).slice(0, proxmoxBackupLimits.failedPerTarget),
    verified: sum('v'),
    unverified: sum('u'),
  };
};
