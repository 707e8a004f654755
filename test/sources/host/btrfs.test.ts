import { expect, test } from 'vitest';
import { collectBtrfs } from '../../../src/sources/host/btrfs.ts';
import { hostContext, NOW_MS } from '../../support/host-context.ts';
import { createMemoryState } from '../../support/memory-state.ts';

const UUID = 'deadbeef-1234-4abc-8def-0123456789ab';
const BASE = `/sys/fs/btrfs/${UUID}`;
const errors = (corruption: number) =>
  `write_errs 0\nread_errs 0\nflush_errs 0\ncorruption_errs ${corruption}\ngeneration_errs 0\n`;

const machine = (missing: readonly number[], corruption: number) => ({
  directories: ['/sys/fs/btrfs/features', `${BASE}/allocation/data/raid1`],
  files: {
    [`${BASE}/label`]: 'tank\n',
    [`${BASE}/devices/sda`]: '',
    [`${BASE}/devices/sdb`]: '',
    [`${BASE}/devinfo/1/missing`]: `${missing[0]}\n`,
    [`${BASE}/devinfo/1/error_stats`]: errors(corruption),
    [`${BASE}/devinfo/2/missing`]: `${missing[1]}\n`,
    [`${BASE}/devinfo/2/error_stats`]: errors(0),
  },
});

const state = createMemoryState();
const survey = (corruption: number, atMs: number, missing: readonly number[] = [0, 0]) =>
  collectBtrfs(hostContext(machine(missing, corruption), [], { state, nowMs: atMs }));

test('errors from before the first look are a baseline, a rise counts for a day', async () => {
  const HOUR_MS = 3_600_000;
  expect((await survey(12, NOW_MS)).readings).toMatchObject([
    { level: 'raid1', requiredDevices: 2, activeDevices: 2, failedMembers: [] },
  ]);
  const risen = await survey(15, NOW_MS + HOUR_MS);
  expect(risen.readings).toMatchObject([{ activeDevices: 2, failedMembers: ['device 1 (new errors)'] }]);
  const later = await survey(15, NOW_MS + 24 * HOUR_MS);
  expect(later.readings).toMatchObject([{ failedMembers: ['device 1 (new errors)'] }]);
  expect((await survey(15, NOW_MS + 26 * HOUR_MS)).readings).toMatchObject([{ failedMembers: [] }]);
  expect((await survey(0, NOW_MS + 27 * HOUR_MS)).readings).toMatchObject([{ failedMembers: [] }]);
});

test('a missing device is failed at once', async () => {
  const { readings, claims } = await survey(0, NOW_MS + 30 * 3_600_000, [0, 1]);
  expect(readings).toMatchObject([{ requiredDevices: 2, activeDevices: 1, failedMembers: ['device 2 (missing)'] }]);
  expect(claims).toMatchObject([
    {
      kind: 'array',
      name: 'btrfs tank',
      status: 'degraded',
      keys: [{ key: `btrfs-uuid:${UUID}` }, { key: 'array-name:btrfs/tank' }],
    },
  ]);
});

test('kernels before 5.14 tell no counters, which is no fault', async () => {
  const { files, directories } = machine([0, 0], 0);
  const old = Object.fromEntries(Object.entries(files).filter(([path]) => !path.endsWith('error_stats')));
  const { readings } = await collectBtrfs(hostContext({ files: old, directories }));
  expect(readings).toMatchObject([{ failedMembers: [] }]);
});

test('a file system on one device is no array', async () => {
  const { files } = machine([0, 0], 0);
  const single = Object.fromEntries(Object.entries(files).filter(([path]) => !path.includes('/devinfo/2/')));
  expect((await collectBtrfs(hostContext({ files: single }))).claims).toEqual([]);
});

test('what cannot be read is a gap', async () => {
  const { gaps } = await collectBtrfs(hostContext({ denied: ['/sys/fs/btrfs'] }));
  expect(gaps).toMatchObject([{ ref: 'host', reads: ['array'], code: 'failed' }]);
});
