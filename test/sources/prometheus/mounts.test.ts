import { expect, it } from 'vitest';
import type { Host, Hosts } from '../../../src/sources/prometheus/hosts.ts';
import { readMounts, scopeMounts } from '../../../src/sources/prometheus/mounts.ts';
import { createTurnedReadOnly } from '../../../src/sources/prometheus/turned-read-only.ts';
import { createMemoryState } from '../../support/memory-state.ts';
import { seriesOf } from '../../support/prometheus-answers.ts';

const host: Host = { ref: 'host:a', name: 'a', hostPart: 'a', node: null, isDown: false };
const hosts: Hosts = { all: [host], ofNode: () => host, of: () => host, known: () => host };

const mount = (mountpoint: string, device: string, fstype: string, values: Readonly<Record<string, number>> = {}) =>
  Object.entries({ size_bytes: 100, free_bytes: 50, avail_bytes: 50, ...values }).map(([name, value]) =>
    seriesOf({ __name__: `node_filesystem_${name}`, job: 'n', instance: 'a', mountpoint, device, fstype }, value),
  );

const scoped = (
  series: ReturnType<typeof mount>,
  { ignore = [] as readonly string[], pools = [] as readonly string[] } = {},
) =>
  scopeMounts(readMounts(series, hosts).get(host) ?? [], ignore, (pool) => pools.includes(pool))
    .map(({ mountPoint }) => mountPoint)
    .toSorted();

it('leaves out what is not real, what engines mount, and what the operator ignores', () => {
  const series = [
    ...mount('/', '/dev/sda1', 'ext4'),
    ...mount('/run', 'tmpfs', 'tmpfs'),
    ...mount('/snap/x/1', '/dev/loop0', 'squashfs'),
    ...mount('/var/lib/docker/volumes/x', '/dev/sdb1', 'ext4'),
    ...mount('/mnt/scratch', '/dev/sdc1', 'xfs'),
  ];
  expect(scoped(series, { ignore: ['/mnt/scratch'] })).toEqual(['/']);
});

it('counts several mounts of one device once, at the shortest', () => {
  expect(
    scoped([
      ...mount('/home', '/dev/sda2', 'btrfs'),
      ...mount('/', '/dev/sda2', 'btrfs'),
      ...mount('/var', '/dev/sda2', 'btrfs'),
    ]),
  ).toEqual(['/']);
});

const pool = [
  ...mount('/tank', 'tank', 'zfs', { size_bytes: 1_000, free_bytes: 999, avail_bytes: 999 }),
  ...mount('/tank/big', 'tank/big', 'zfs', { size_bytes: 5_000, free_bytes: 1_000, avail_bytes: 1_000 }),
  ...mount('/tank/quota', 'tank/quota', 'zfs', { size_bytes: 100, free_bytes: 10, avail_bytes: 10 }),
];

it('lets the dataset that uses most stand for a pool that nobody tells of, beside those with a quota', () => {
  expect(scoped(pool)).toEqual(['/tank/big', '/tank/quota']);
});

it('leaves a pool’s space to the pool where its own figures are known', () => {
  expect(scoped(pool, { pools: ['tank'] })).toEqual(['/tank/quota']);
});

it('remembers that a filesystem was writable for as long as it is not, however long ago that was', () => {
  const state = createMemoryState();
  const labels = { job: 'n', instance: 'a', mountpoint: '/srv', device: '/dev/md0' };
  const key = 'n\na\n/srv\n/dev/md0';
  const past = createTurnedReadOnly(
    [
      {
        labels,
        points: [
          { atMs: 0, value: 0 },
          { atMs: 1, value: 1 },
        ],
      },
    ],
    state,
  );
  expect(past.has(key)).toBe(true);
  past.see(key);
  past.keep();
  const later = createTurnedReadOnly([], state);
  expect(later.has(key)).toBe(true);
  later.keep();
  expect(createTurnedReadOnly([], state).has(key), 'it was writable again in between').toBe(false);
  expect(
    createTurnedReadOnly([{ labels, points: [{ atMs: 1, value: 1 }] }], state).has(key),
    'never seen writable',
  ).toBe(false);
});
