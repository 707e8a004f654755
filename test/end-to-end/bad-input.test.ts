import { createHash } from 'node:crypto';
import { readFileSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import BetterSqlite3 from 'better-sqlite3';
import { describe, expect, test } from 'vitest';
import { type Household, openHousehold } from '../support/patrold-process.ts';

const TIMEOUT_MS = 120_000;

const database = ({ data }: Household): string => join(data, 'patrold.db');
const hashOf = (path: string): string => createHash('sha256').update(readFileSync(path)).digest('hex');
const activeOf = async (house: Household): Promise<readonly string[]> => {
  const { stdout } = await house.run(['findings', '--json']);
  const { findings } = JSON.parse(stdout) as { findings: readonly { id: string; key: string; resourceId: string }[] };
  return findings.map(({ id, key, resourceId }) => `${id} ${resourceId} ${key}`).toSorted();
};

/** Two faults are known, and kept. */
const openSick = async (): Promise<Household> => {
  const house = await openHousehold();
  house.engine.setFaulty((index) => index < 2);
  expect((await house.patrol()).report.findings).toHaveLength(2);
  return house;
};

/** Runs a command in a mount namespace of its own, after `spoil` has been done there to the data directory, `$1`. */
const spoiled = (spoil: string, { data }: Household): readonly string[] => [
  ...['unshare', '--mount', 'sh', '-c', `set -e; ${spoil}; shift; exec "$@"`, 'sh'],
  data,
];

const READ_ONLY = 'mount --bind "$1" "$1"; mount -o remount,bind,ro "$1"';
/** A copy of the data directory on a file system with space for nothing else. */
const FULL =
  'mount -t tmpfs none /mnt; cp -a "$1/." /mnt; mount -t tmpfs -o size=2m,mode=700 none "$1"; cp -a /mnt/. "$1"; cat /dev/zero >"$1/filler" 2>/dev/null || :';

describe('where nothing can be kept', { timeout: TIMEOUT_MS }, () => {
  test.each([
    ['a read-only data directory', READ_ONLY, /read-?only/],
    ['a full file system', FULL, /full/],
  ])(
    'on %s a run tells in one document what it saw and that nothing was kept, and what was known stays',
    async (_, spoil, why) => {
      const house = await openSick();
      const before = await activeOf(house);
      house.engine.setFaulty((index) => index < 3);
      const { code, stderr, report } = await house.patrol(spoiled(spoil, house));
      expect([code, report.run.state, report.run.status]).toEqual([4, 'failed', 'error']);
      expect(report.run.reason).toMatch(why);
      expect(report.signals).toHaveLength(3);
      expect(report.findings).toEqual([]);
      expect(stderr).toContain('nothing was kept');
      expect(stderr).toContain(database(house));
      expect(await activeOf(house)).toEqual(before);
    },
  );

  test.each([
    ['a read-only data directory', READ_ONLY, /read-?only/],
    ['a full file system', FULL, /full/],
  ])('on %s a verb fails with its reason, and is not done', async (_, spoil, why) => {
    const house = await openSick();
    const [first = ''] = (await activeOf(house)).map((one) => one.split(' ')[0] ?? '');
    const { code, stdout, stderr } = await house.run(['findings', 'acknowledge', first], spoiled(spoil, house));
    expect([code, stdout]).toEqual([4, '']);
    expect(stderr).toMatch(why);
    const shown = await house.run(['findings', 'show', first, '--json']);
    expect(JSON.parse(shown.stdout)).toMatchObject({ finding: { disposition: { kind: 'none' } } });
  });
});

describe('a database that is none of this version is left as it is', { timeout: TIMEOUT_MS }, () => {
  test.each<[string, (house: Household) => void, RegExp]>([
    [
      'of a newer version',
      (house) => {
        const sqlite = new BetterSqlite3(database(house));
        sqlite.exec("INSERT INTO __drizzle_migrations (hash, created_at) VALUES ('of the future', 9999999999999)");
        sqlite.close();
      },
      /newer/,
    ],
    [
      'that is something else',
      (house) => writeFileSync(database(house), 'SQLite? No.\n'.repeat(1_000)),
      /not a database/,
    ],
    ['that lost its end', (house) => truncateSync(database(house), 20_000), /malformed|not a database|damaged/],
  ])('%s', async (_, spoil, why) => {
    const house = await openSick();
    spoil(house);
    const before = hashOf(database(house));
    for (const args of [
      ['run', '--json'],
      ['findings', '--json'],
      ['serve', '--listen', 'off'],
    ]) {
      const { code, stdout, stderr } = await house.run(args);
      expect([args[0], code, stdout]).toEqual([args[0], 4, '']);
      expect(stderr).toMatch(why);
      expect(stderr).toContain(database(house));
      expect(stderr).toMatch(/restore|upgrade|newer patrold|backup/i);
    }
    expect(hashOf(database(house))).toBe(before);
  });
});
