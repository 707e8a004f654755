/** btrfs over several devices, as sysfs shows it: missing members, and members whose error counters rise. */
import { z } from 'zod';
import { claimDefaults, hint, proof, type ResourceClaim } from '../../../signals/claim.ts';
import type { ArrayReading } from '../../../signals/reading.ts';
import { cleanText } from '../../runtime/text.ts';
import { type Collector, HOST_REF, type HostContext } from './host-context.ts';
import { NOTHING, part } from './part.ts';
import { namesIn, readLine, readNumber } from './root-reader.ts';

const STATE_KEY = 'btrfs-errors';
const FILESYSTEMS = 64;
const MEMBERS = 64;
/** The counters stay until somebody resets them: a member counts as failing for a day after the last rise. */
const RISE_MEMORY_MS = 24 * 3_600_000;
const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

const rememberedSchema = z.record(z.string(), z.object({ total: z.number(), roseAtMs: z.number().nullable() }));
type Remembered = z.infer<typeof rememberedSchema>;

interface Member {
  readonly id: string;
  readonly missing: boolean;
  /** Sum of write, read, flush, corruption and generation errors; null: this kernel does not tell (before 5.14). */
  readonly errors: number | null;
}

interface Btrfs {
  readonly uuid: string;
  readonly label: string | null;
  readonly level: string;
  readonly members: readonly Member[];
  readonly deviceNames: readonly string[];
}

export const collectBtrfs: Collector = async (host) => {
  if (host.environment.container !== null) return NOTHING;
  const list = await host.reader.list('/sys/fs/btrfs');
  if (list.kind === 'absent') return NOTHING;
  if (list.kind !== 'read') {
    const reason = '/sys/fs/btrfs can not be read';
    return part({ gaps: [{ ref: HOST_REF, reads: ['array'], code: 'failed', reason }] });
  }
  const uuids = list.names.filter((name) => UUID.test(name));
  const all = await Promise.all(uuids.slice(0, FILESYSTEMS).map((uuid) => read(host, uuid)));
  const arrays = all.filter(({ members }) => members.length > 1);
  const before = rememberedSchema.safeParse(host.state.get(STATE_KEY)).data ?? {};
  const now = remember(arrays, before, host.nowMs);
  host.state.set(STATE_KEY, now);
  const isFailing = (key: string): boolean => {
    const roseAtMs = now[key]?.roseAtMs ?? null;
    return roseAtMs !== null && host.nowMs - roseAtMs < RISE_MEMORY_MS;
  };
  return part({
    claims: arrays.map(claimOf),
    readings: arrays.map((array) => ({
      ...readingOf(array, isFailing),
      ref: refOf(array),
      takenAtMs: host.clock.nowMs(),
    })),
  });
};

const read = async ({ reader }: HostContext, uuid: string): Promise<Btrfs> => {
  const base = `/sys/fs/btrfs/${uuid}`;
  const ids = (await namesIn(reader, `${base}/devinfo`)).slice(0, MEMBERS);
  const members = await Promise.all(
    ids.map(async (id) => ({
      id,
      missing: (await readNumber(reader, `${base}/devinfo/${id}/missing`)) === 1,
      errors: sumErrors(await readLine(reader, `${base}/devinfo/${id}/error_stats`)),
    })),
  );
  const profiles = (await namesIn(reader, `${base}/allocation/data`)).filter((name) =>
    /^(?:raid\w+|single|dup)$/.test(name),
  );
  const label = await readLine(reader, `${base}/label`);
  return {
    uuid,
    label,
    level: profiles[0] ?? 'unknown',
    members,
    deviceNames: await namesIn(reader, `${base}/devices`),
  };
};

/** Lines such as `write_errs 0`. */
const sumErrors = (text: string | null): number | null =>
  text === null ? null : [...text.matchAll(/^\w+ (\d+)$/gm)].reduce((sum, [, count]) => sum + Number(count), 0);

const keyOf = (uuid: string, id: string): string => `${uuid}/${id}`;

/** The first look is a baseline; a total that fell was reset, and what it shows since then is the rise. */
const remember = (arrays: readonly Btrfs[], before: Remembered, nowMs: number): Remembered =>
  Object.fromEntries(
    arrays.flatMap(({ uuid, members }) =>
      members.flatMap(({ id, errors }) => {
        if (errors === null) return [];
        const known = before[keyOf(uuid, id)];
        const rose = known !== undefined && (errors > known.total || (errors < known.total && errors > 0));
        return [[keyOf(uuid, id), { total: errors, roseAtMs: rose ? nowMs : (known?.roseAtMs ?? null) }]];
      }),
    ),
  );

const readingOf = ({ uuid, level, members }: Btrfs, isFailing: (key: string) => boolean): ArrayReading => ({
  kind: 'array',
  level,
  requiredDevices: members.length,
  activeDevices: members.filter(({ missing }) => !missing).length,
  failedMembers: members
    .filter(({ id, missing }) => missing || isFailing(keyOf(uuid, id)))
    .map(({ id, missing }) => (missing ? `device ${id} (missing)` : `device ${id} (new errors)`)),
  rebuild: null,
});

const refOf = ({ uuid }: Btrfs): string => `array:btrfs/${uuid}`;

const claimOf = (array: Btrfs): ResourceClaim => {
  const name = array.label === null ? array.uuid : cleanText(array.label, 256);
  return {
    ...claimDefaults,
    ref: refOf(array),
    kind: 'array',
    name: `btrfs ${name}`,
    parentRef: HOST_REF,
    keys: [proof(`btrfs-uuid:${array.uuid}`), hint(`array-name:btrfs/${name}`, 'parent')],
    slug: `btrfs-${name}`,
    status: array.members.some(({ missing }) => missing) ? 'degraded' : 'running',
    expects: ['array'],
    facts: { arrayType: 'btrfs', level: array.level, members: array.deviceNames.join(', ') },
  };
};
