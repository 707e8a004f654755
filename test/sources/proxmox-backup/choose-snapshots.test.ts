import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { chooseSnapshots, type SnapshotQuestion } from '../../../src/sources/proxmox-backup/choose-snapshots.ts';
import type { GroupEntry } from '../../../src/sources/proxmox-backup/group-memory.ts';
import { proxmoxBackupLimits } from '../../../src/sources/proxmox-backup/proxmox-backup-limits.ts';

const NOW_S = 1_773_144_000;
const read: GroupEntry = { l: NOW_S - 3_600, f: true, c: 3, r: NOW_S - 1_800 };
const ask = (groups: Readonly<Record<string, GroupEntry>>, more: Partial<SnapshotQuestion> = {}) =>
  chooseSnapshots({
    groups: new Map(Object.entries(groups)),
    isPatrol: true,
    verifiedAtS: 0,
    nowS: NOW_S,
    listsLeft: 200,
    ...more,
  });

const { r: _never, ...unread } = read;

describe('a group has its snapshots listed', () => {
  it.each<[string, GroupEntry, Partial<SnapshotQuestion>, boolean]>([
    ['when they never were', unread, {}, true],
    ['not, when nothing has changed', read, {}, false],
    ['when it has changed', { ...read, d: true }, {}, true],
    ['when a verification has ended since', read, { verifiedAtS: NOW_S - 60 }, true],
    ['not, when a verification ended before', read, { verifiedAtS: NOW_S - 7_200 }, false],
    ['when one of them failed: it may be gone', { ...read, x: [1] }, {}, true],
    ['when that is long ago', { ...read, r: NOW_S - 8 * 86_400 }, {}, true],
    ['when it was, by a clock that was ahead', { ...read, r: NOW_S + 60 }, {}, true],
    ['not between patrols, when it has changed', { ...read, d: true }, { isPatrol: false }, false],
    ['between patrols, when its newest is not complete', { ...unread, f: false }, { isPatrol: false }, true],
    ['then, when that one has changed', { ...read, f: false, d: true }, { isPatrol: false }, true],
    ['not again then, while nothing changes', { ...read, f: false }, { isPatrol: false }, false],
  ])('%s', (_, entry, more, isListed) => {
    expect(ask({ 'vm/1': entry }, more).kind).toBe(isListed ? 'groups' : 'none');
  });
});

it('many at once are one list, unless that would be too long', () => {
  const many = Object.fromEntries(Array.from({ length: 10 }, (_, index) => [`vm/${index}`, unread]));
  expect(ask(many)).toEqual({ kind: 'whole' });
  const long = Object.fromEntries(Object.keys(many).map((key) => [key, { ...unread, c: 5_000 }]));
  expect(ask(long)).toMatchObject({ kind: 'groups', left: 0 });
  expect(ask(long, { listsLeft: 3 })).toMatchObject({ groups: ['vm/0', 'vm/1', 'vm/2'], left: 7 });
});

it('costs no more lists than are left, asks for nothing that is not there, and says what it left out', () => {
  const entry = fc.record(
    { l: fc.constant(NOW_S), f: fc.boolean(), c: fc.nat(9_000), r: fc.integer({ min: NOW_S - 1e6, max: NOW_S + 9 }) },
    { requiredKeys: ['l', 'f', 'c'] },
  );
  const groups = fc.dictionary(fc.constantFrom(...'abcdefghijkl'), entry);
  fc.assert(
    fc.property(groups, fc.nat(12), fc.boolean(), (all, listsLeft, isPatrol) => {
      const plan = ask(all as Record<string, GroupEntry>, { listsLeft, isPatrol });
      const total = Object.values(all).reduce((sum, { c }) => sum + c, 0);
      if (plan.kind === 'whole') expect(total).toBeLessThanOrEqual(proxmoxBackupLimits.snapshotsPerList);
      if (plan.kind !== 'groups') return;
      expect(plan.groups.length).toBeLessThanOrEqual(listsLeft);
      expect(Object.keys(all)).toEqual(expect.arrayContaining([...plan.groups]));
      expect(plan.left).toBeLessThanOrEqual(Object.keys(all).length - plan.groups.length);
    }),
  );
});
