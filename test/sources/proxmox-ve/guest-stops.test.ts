import { expect, it } from 'vitest';
import { foldGuestStops, type GuestStops, NO_STOPS } from '../../../src/sources/proxmox-ve/guest-stops.ts';
import type { TaskItem } from '../../../src/sources/proxmox-ve/tasks.ts';

const NOW_MS = 1_773_144_000_000;
const NOW_S = NOW_MS / 1000;
const task = (type: string, id: string, agoS: number, more: Partial<TaskItem> = {}): TaskItem => ({
  upid: `UPID:pve1:${type}:${id}:${agoS}`,
  node: 'pve1',
  type,
  id,
  starttime: NOW_S - agoS,
  endtime: NOW_S - agoS + 5,
  status: 'OK',
  ...more,
});
const fold = (items: readonly TaskItem[], before: GuestStops = NO_STOPS, areAllSeen = true): GuestStops =>
  foldGuestStops({ before, tasks: { areAllSeen, items }, vmids: new Set(['100', '101']), nowMs: NOW_MS });

it('takes the newest stop of each guest, whichever words it has in a log', () => {
  const { stops } = fold([
    task('qmshutdown', '100', 500),
    task('qmstop', '100', 300),
    task('qmstart', '101', 100),
    task('vzstop', '999', 10),
  ]);
  expect(stops).toEqual({ '100': { by: 'operator', atMs: NOW_MS - 300_000 } });
});

it.each([
  ['while it runs', { endtime: undefined, status: undefined }],
  ['after it has ended', { endtime: NOW_S - 100, status: 'OK' }],
])('knows the shutdown of a backup in stop mode by the backup, %s', (_when, more) => {
  const { stops } = fold([task('vzdump', '', 400, more), task('qmshutdown', '100', 300)]);
  expect(stops['100']?.by).toBe('backup');
});

it('does not take a stop for the backup of another guest, another node, or another time', () => {
  const stopped = task('qmshutdown', '100', 300);
  expect(fold([task('vzdump', '101', 400, { endtime: NOW_S }), stopped]).stops['100']?.by).toBe('operator');
  expect(fold([task('vzdump', '', 400, { endtime: NOW_S, node: 'pve2' }), stopped]).stops['100']?.by).toBe('operator');
  expect(fold([task('vzdump', '', 900, { endtime: NOW_S - 600 }), stopped]).stops['100']?.by).toBe('operator');
});

it('remembers a stop after its task has left the list, and forgets it with its guest', () => {
  const first = fold([task('qmstop', '100', 300)]);
  expect(fold([task('qmstart', '101', 10)], first).stops['100']).toBeDefined();
  const gone = foldGuestStops({
    before: first,
    tasks: { areAllSeen: true, items: [] },
    vmids: new Set(['101']),
    nowMs: NOW_MS,
  });
  expect(gone.stops).toEqual({});
});

it('knows from when on a stop would have been seen', () => {
  const first = fold([task('qmstart', '101', 3_000)]);
  // The list of a node that is not full holds all there ever was.
  expect(first.knownSinceMs).toBe(0);
  const busy = Array.from({ length: 25 }, (_each, index) => task('vncproxy', '101', 30 - index));
  expect(fold(busy).knownSinceMs).toBe(NOW_MS - 30_000);
  const before = { ...first, readAtMs: NOW_MS - 300_000 };
  // All that the list holds is newer than the last look: what was before it has been missed.
  expect(fold(busy, before).knownSinceMs).toBe(NOW_MS - 30_000);
  expect(fold(busy, { ...before, readAtMs: NOW_MS - 10_000 }).knownSinceMs).toBe(0);
  expect(fold(busy.slice(0, 5), before).knownSinceMs).toBe(0);
});

it('knows nothing where tasks of others are not shown', () => {
  expect(fold([task('qmstop', '100', 300)], NO_STOPS, false)).toMatchObject({ stops: {}, knownSinceMs: null });
});
