/** /var/log/wtmp: records of boots and shutdowns (utmp(5)), readable to all. */

export interface WtmpRecord {
  readonly kind: 'boot' | 'shutdown';
  readonly atMs: number;
}

interface Layout {
  readonly size: number;
  readonly time: number;
}

const USER = { at: 44, length: 32 } as const;
/** Most 64-bit systems keep the 32-bit fields; the others (arm64 among them) have a longer session and time. */
const LAYOUTS: readonly Layout[] = [
  { size: 384, time: 340 },
  { size: 400, time: 344 },
];
const RUN_LEVEL = 1;
const BOOT_TIME = 2;
const LAST_TYPE = 9;

/** `bytes` is the end of the file; it may begin within a record. Null: it has neither layout. */
export const parseWtmp = (bytes: Buffer): readonly WtmpRecord[] | null => {
  for (const layout of LAYOUTS) {
    const records = readRecords(bytes, layout);
    if (records !== null) return records;
  }
  return null;
};

const readRecords = (bytes: Buffer, { size, time }: Layout): readonly WtmpRecord[] | null => {
  const count = Math.floor(bytes.length / size);
  const start = bytes.length - count * size;
  const records: WtmpRecord[] = [];
  for (let offset = start; offset < bytes.length; offset += size) {
    const type = bytes.readInt16LE(offset);
    if (type < 0 || type > LAST_TYPE) return null;
    const user = textAt(bytes, offset + USER.at, USER.length);
    const atMs = bytes.readUInt32LE(offset + time) * 1_000;
    if (type === BOOT_TIME && user === 'reboot') records.push({ kind: 'boot', atMs });
    if (type === RUN_LEVEL && user === 'shutdown') records.push({ kind: 'shutdown', atMs });
  }
  return count === 0 ? null : records;
};

const textAt = (bytes: Buffer, offset: number, length: number): string => {
  const field = bytes.subarray(offset, offset + length);
  const end = field.indexOf(0);
  return field.subarray(0, end === -1 ? length : end).toString('latin1');
};

export interface PreviousEnd {
  readonly orderly: boolean;
  readonly endedAtMs: number | null;
}

/** Clocks are wrong early in a boot, so its record may be somewhat off. */
const SAME_BOOT_MS = 15 * 60_000;

/** Null: the file does not hold this boot's record, or nothing before it. */
export const previousEndByWtmp = (records: readonly WtmpRecord[], bootedAtMs: number): PreviousEnd | null => {
  const current = records.findLastIndex(({ kind }) => kind === 'boot');
  const boot = records[current];
  const before = records[current - 1];
  if (boot === undefined || before === undefined || Math.abs(boot.atMs - bootedAtMs) > SAME_BOOT_MS) return null;
  return before.kind === 'shutdown' ? { orderly: true, endedAtMs: before.atMs } : { orderly: false, endedAtMs: null };
};
