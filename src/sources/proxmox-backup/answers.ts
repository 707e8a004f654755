/** The answers of a backup server; lenient about everything that is not read. */
import { z } from 'zod';
import { figure, flag, identifier, text } from '../proxmox/answer-fields.ts';

export const versionSchema = z.looseObject({ version: z.string().min(1).max(64), release: text });

const storeName = z.string().min(1).max(128);

export const usageItem = z.looseObject({
  store: storeName,
  total: figure,
  used: figure,
  avail: figure,
  error: text,
  /** `mounted`, `notmounted`, `nonremovable`. */
  'mount-status': text,
  /** Seconds since 1970; 0, -1 or in the past: never. */
  'estimated-full-date': figure,
  /** Used shares of the last month, null where none was taken. */
  history: z.array(z.number().nullable()).optional().catch(undefined),
  'history-start': figure,
  'history-delta': figure,
  'gc-status': z.looseObject({ 'still-bad': figure, upid: text }).optional().catch(undefined),
});
export type UsageItem = z.infer<typeof usageItem>;

export const datastoreItem = z.looseObject({ store: storeName, maintenance: text, comment: text });

export const nodeStatus = z.looseObject({
  uptime: figure,
  kversion: text,
  cpuinfo: z.looseObject({ cpus: figure }).optional().catch(undefined),
  root: z.looseObject({ total: figure, used: figure, avail: figure }).optional().catch(undefined),
  info: z.looseObject({ fingerprint: text }).optional().catch(undefined),
});

export const timeAnswer = z.looseObject({ time: z.number(), timezone: text });

export const jobItem = z.looseObject({
  id: text,
  store: storeName,
  schedule: text,
  disable: flag,
  ns: text,
  remote: text,
  'remote-store': text,
  'sync-direction': text,
  'next-run': figure,
  'last-run-state': text,
  'last-run-upid': text,
  'last-run-endtime': figure,
  /** Of garbage collection: the last one that ended. */
  upid: text,
  duration: figure,
});
export type JobItem = z.infer<typeof jobItem>;

export const taskItem = z.looseObject({
  upid: z.string().min(1).max(1_024),
  worker_type: z.string().max(64),
  worker_id: text,
  starttime: z.number(),
  endtime: figure,
  /** `OK`, `WARNINGS: 3`, `unknown`, or what went wrong; absent while it runs. */
  status: text,
});
export type TaskItem = z.infer<typeof taskItem>;

export const namespaceItem = z.looseObject({ ns: z.string().max(1_024), comment: text });

export const BACKUP_TYPES = ['vm', 'ct', 'host'] as const;
export type BackupType = (typeof BACKUP_TYPES)[number];

const files = z
  .array(z.union([z.string(), z.looseObject({ filename: z.string() }).transform(({ filename }) => filename)]))
  .optional()
  .catch(undefined);

/** There are hundreds of thousands of these: what is not read is not kept either. */
export const groupItem = z.object({
  'backup-type': z.enum(BACKUP_TYPES),
  'backup-id': identifier,
  /** Of the snapshot that `files` are of; it may be one that is not complete. */
  'last-backup': z.coerce.number().int().positive(),
  'backup-count': z.coerce.number().int().nonnegative(),
  owner: text,
  files,
});
export type GroupItem = z.infer<typeof groupItem>;

export const snapshotItem = z.object({
  'backup-type': z.enum(BACKUP_TYPES),
  'backup-id': identifier,
  'backup-time': z.number().int().positive(),
  /** Absent or null: it is not complete, or its index can't be read. */
  size: figure,
  protected: flag,
  owner: text,
  verification: z.object({ state: text }).optional().nullable().catch(undefined),
});
export type SnapshotItem = z.infer<typeof snapshotItem>;
