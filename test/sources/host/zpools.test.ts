import { expect, test } from 'vitest';
import { collectZpools } from '../../../src/sources/host/zpools.ts';
import { type CommandAnswers, exited, hostContext } from '../../support/host-context.ts';

const KSTAT = { '/proc/spl/kstat/zfs/tank/state': 'DEGRADED\n', '/proc/spl/kstat/zfs/rpool/state': 'ONLINE\n' };
const LIST = exited('rpool\t111\t1000\t300\t700\ntank\t222\t-\t-\t-\n');
const TEXT = exited(
  '  pool: rpool\n state: ONLINE\nconfig:\n\n\tNAME STATE READ WRITE CKSUM\n\trpool ONLINE 0 0 0\n\t  sda ONLINE 0 0 0\n\nerrors: No known data errors\n',
);

const survey = (answers: CommandAnswers, files: Readonly<Record<string, string>> = KSTAT) =>
  collectZpools(hostContext({ files }, answers));

test('without the module there is nothing to expect, and no command is run', async () => {
  const host = hostContext({});
  expect((await collectZpools(host)).claims).toEqual([]);
  expect(host.asked).toEqual([]);
});

test('a version without JSON is asked for its text', async () => {
  const part = await survey([
    [/^zpool list/, LIST],
    [/^zpool status -j/, exited('', 2, "invalid option 'j'\nusage:\n")],
    [/^zpool status -p/, TEXT],
    [/^zfs list/, exited('rpool\t0\t0\t1700000000\n')],
  ]);
  expect(part.readings).toMatchObject([
    { ref: 'pool:zfs/rpool', kind: 'capacity', sizeBytes: 1_000, usedBytes: 300, availableBytes: 700 },
    { ref: 'pool:zfs/rpool', kind: 'zfs_pool', state: 'ONLINE', createdAtMs: 1_700_000_000_000 },
  ]);
  expect(part.gaps).toMatchObject([
    { ref: 'pool:zfs/tank', reads: ['capacity'], code: 'empty' },
    { ref: 'pool:zfs/tank', reads: ['zfs_pool'], code: 'malformed' },
  ]);
});

test('without zpool the kernel still says which pools there are and which is in trouble, and proves no health', async () => {
  const part = await survey([]);
  expect(part.claims.map(({ name }) => name)).toEqual(['rpool', 'tank']);
  expect(part.readings).toMatchObject([
    { ref: 'pool:zfs/tank', state: 'DEGRADED', redundancyLeft: null, dataErrors: null },
  ]);
  expect(part.gaps).toMatchObject([
    { ref: 'pool:zfs/rpool', reads: ['zfs_pool', 'capacity'], code: 'not_installed' },
    { ref: 'pool:zfs/tank', code: 'not_installed' },
  ]);
});

test('a device that may not be opened is not an empty list', async () => {
  const denied = exited('', 1, 'Permission denied the ZFS utilities must be run as root.\n');
  const part = await survey([[/^zpool/, denied]]);
  expect(part.gaps).toMatchObject([{ code: 'not_permitted' }, { code: 'not_permitted' }]);
});
