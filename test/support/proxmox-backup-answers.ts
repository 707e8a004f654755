/** Answers of a small backup server, in the shapes that Proxmox Backup Server 4 gives them; tests change what they are about. */
import type { AnswerTable } from './proxmox-answers.ts';

/** A Tuesday noon. */
export const PBS_NOW_MS = Date.UTC(2026, 2, 10, 12);
export const PBS_NOW_S = PBS_NOW_MS / 1000;
export const DAY_S = 86_400;
export const HOUR_S = 3_600;
const TIB = 1024 ** 4;

export const PBS_FINGERPRINT = `${'ab:'.repeat(31)}ab`;
/** The same as a key has it. */
export const PBS_SERVER = 'AB'.repeat(32);

export type Row = Readonly<Record<string, unknown>>;

/** Last night, two hours after midnight. */
export const LAST_NIGHT_S = PBS_NOW_S - 10 * HOUR_S;

const hex = (value: number, digits: number): string => value.toString(16).toUpperCase().padStart(digits, '0');

export const upidOf = (type: string, id: string, startS: number): string =>
  `UPID:pbs1:00000A1B:00F3A2C1:0000001F:${hex(startS, 8)}:${type}:${id}:root@pam:`;

export const datastoreUsage = (store: string, more: Row = {}): Row => ({
  store,
  total: 8 * TIB,
  used: 4 * TIB,
  avail: 4 * TIB,
  'backend-type': 'filesystem',
  'mount-status': 'nonremovable',
  'estimated-full-date': PBS_NOW_S + 400 * DAY_S,
  'history-start': PBS_NOW_S - 30 * DAY_S,
  'history-delta': 1_800,
  history: Array.from({ length: 1_440 }, (_, index) => (index % 97 === 0 ? null : 0.49 + index / 144_000)),
  'gc-status': {
    'disk-bytes': 3 * TIB,
    'disk-chunks': 1_900_000,
    'index-data-bytes': 60 * TIB,
    'index-file-count': 2_100,
    'pending-bytes': 0,
    'pending-chunks': 0,
    'removed-bad': 0,
    'removed-bytes': 1_000_000,
    'removed-chunks': 12,
    'still-bad': 0,
    upid: upidOf('garbage_collection', store, LAST_NIGHT_S),
  },
  ...more,
});

export const gcJob = (store: string, more: Row = {}): Row => ({
  store,
  schedule: 'daily',
  upid: upidOf('garbage_collection', store, PBS_NOW_S - 12 * HOUR_S),
  'next-run': PBS_NOW_S + 12 * HOUR_S,
  'last-run-endtime': PBS_NOW_S - 12 * HOUR_S + 142,
  'last-run-state': 'OK',
  duration: 142,
  'disk-bytes': 3 * TIB,
  'index-data-bytes': 60 * TIB,
  'still-bad': 0,
  'removed-bad': 0,
  ...more,
});

/** A job that ran well last night and is due again tonight. */
export const pbsJob = (type: string, id: string, store: string, more: Row = {}): Row => ({
  id,
  store,
  schedule: '02:00',
  comment: '',
  'next-run': LAST_NIGHT_S + DAY_S,
  'last-run-state': 'OK',
  'last-run-endtime': LAST_NIGHT_S + 600,
  'last-run-upid': upidOf(type, `${store}:${id}`, LAST_NIGHT_S),
  ...more,
});

export const group = (type: string, id: string | number, more: Row = {}): Row => ({
  'backup-type': type,
  'backup-id': String(id),
  'last-backup': LAST_NIGHT_S,
  'backup-count': 3,
  files: ['client.log.blob', 'drive-scsi0.img.fidx', 'index.json.blob', 'qemu-server.conf.blob'],
  owner: 'backup@pbs!pve',
  ...more,
});

export const snapshot = (type: string, id: string | number, atS: number, more: Row = {}): Row => ({
  'backup-type': type,
  'backup-id': String(id),
  'backup-time': atS,
  size: 34_359_738_368,
  protected: false,
  owner: 'backup@pbs!pve',
  files: [
    { filename: 'drive-scsi0.img.fidx', 'crypt-mode': 'none', size: 34_359_738_368 },
    { filename: 'index.json.blob', 'crypt-mode': 'none', size: 512 },
  ],
  verification: { state: 'ok', upid: upidOf('verificationjob', 'store1:v-1', LAST_NIGHT_S) },
  ...more,
});

/** The three nights before. */
export const nights = (type: string, id: string | number, more: Row = {}): readonly Row[] =>
  [0, 1, 2].map((ago) => snapshot(type, id, LAST_NIGHT_S - ago * DAY_S, more));

/** Some client's of its own, that has not been finished. */
export const unfinished = (type: string, id: string | number, atS: number): Row =>
  snapshot(type, id, atS, { size: undefined, verification: undefined, files: [{ filename: 'drive-scsi0.img.fidx' }] });

export const failedTask = (workerId: string, startS: number, status: string): Row => ({
  upid: upidOf('backup', workerId, startS),
  node: 'localhost',
  pid: 2_587,
  pstart: 15_966_913,
  starttime: startS,
  endtime: startS + 120,
  worker_type: 'backup',
  worker_id: workerId,
  user: 'backup@pbs!pve',
  status,
});

export const runningTask = (workerId: string, startS: number): Row => {
  const { endtime: _end, status: _status, ...running } = failedTask(workerId, startS, '');
  return running;
};

export const FULL_RIGHTS = {
  '/': { 'Sys.Audit': true, 'Datastore.Audit': true },
  '/access': { 'Sys.Audit': true, 'Datastore.Audit': true },
  '/datastore': { 'Sys.Audit': true, 'Datastore.Audit': true },
  '/remote': { 'Remote.Audit': true },
  '/system': { 'Sys.Audit': true, 'Datastore.Audit': true },
} as const;

export const pbsAnswers = (): AnswerTable => ({
  '/version': { version: '4.1', release: '2', repoid: 'a1b2c3d4' },
  '/access/permissions': FULL_RIGHTS,
  '/status/datastore-usage': [datastoreUsage('store1')],
  '/admin/datastore': [{ store: 'store1', 'mount-status': 'nonremovable', 'backend-type': 'filesystem' }],
  '/nodes/localhost/status': {
    cpu: 0.02,
    wait: 0.001,
    uptime: 40 * DAY_S,
    loadavg: [0.1, 0.2, 0.3],
    memory: { total: 32 * 1024 ** 3, used: 9 * 1024 ** 3, free: 23 * 1024 ** 3 },
    swap: { total: 0, used: 0, free: 0 },
    root: { total: 60 * 1024 ** 3, used: 7 * 1024 ** 3, avail: 50 * 1024 ** 3 },
    kversion: 'Linux 6.14.8-2-pve #1 SMP PREEMPT_DYNAMIC PMX 6.14.8-2',
    cpuinfo: { model: 'Intel(R) N100', sockets: 1, cpus: 4 },
    info: { fingerprint: PBS_FINGERPRINT },
    'boot-info': { mode: 'efi', secureboot: false },
  },
  '/nodes/localhost/tasks': [],
  '/admin/gc': [gcJob('store1')],
  '/admin/prune': [pbsJob('prunejob', 'p-1', 'store1', { 'keep-last': 7 })],
  '/admin/verify': [pbsJob('verificationjob', 'v-1', 'store1')],
  '/admin/sync': [],
  '/admin/datastore/store1/namespace': [{ ns: '' }],
  '/admin/datastore/store1/groups': [group('vm', 100), group('ct', 200)],
  '/admin/datastore/store1/snapshots': [...nights('vm', 100), ...nights('ct', 200)],
  '/nodes/localhost/disks/list': [],
  '/nodes/localhost/disks/zfs': [],
});
