import fc from 'fast-check';
import { expect, it } from 'vitest';
import { snapshotItem } from '../../../src/sources/proxmox-backup/answers.ts';
import { newestGoodS, summarise } from '../../../src/sources/proxmox-backup/snapshot-summary.ts';
import { snapshot, unfinished } from '../../support/proxmox-backup-answers.ts';

const drafts = fc.uniqueArray(
  fc.record({
    atS: fc.integer({ min: 1, max: 50 }),
    isComplete: fc.boolean(),
    state: fc.constantFrom('ok', 'failed', undefined, 'something new'),
    isProtected: fc.boolean(),
  }),
  { selector: ({ atS }) => atS },
);

it('counts each complete snapshot once, and takes the newest of them, in whatever order they come', () => {
  fc.assert(
    fc.property(drafts, fc.boolean(), (list, f) => {
      const items = list.map(({ atS, isComplete, state, isProtected }) =>
        snapshotItem.parse(
          isComplete
            ? snapshot('vm', 1, atS, {
                verification: state === undefined ? undefined : { state },
                protected: isProtected,
              })
            : unfinished('vm', 1, atS),
        ),
      );
      const complete = list.filter(({ isComplete }) => isComplete);
      const entry = summarise({ l: 60, f, c: list.length }, items, 99);
      expect(summarise({ l: 60, f, c: list.length }, items.toReversed(), 99)).toEqual(entry);
      const failed = complete.filter(({ state }) => state === 'failed').length;
      expect((entry.v ?? 0) + (entry.u ?? 0) + failed).toBe(complete.length);
      expect(entry.x?.length ?? 0).toBe(Math.min(5, failed));
      const newest = Math.max(0, ...complete.map(({ atS }) => atS));
      expect(newestGoodS(entry)).toBe(f ? 60 : newest === 0 ? null : newest);
    }),
  );
});

it('a snapshot that was begun later than the complete one never counts as good', () => {
  const { g, ...unread } = summarise({ l: 9, f: false, c: 1 }, [], 1);
  expect(g).toBeUndefined();
  expect(newestGoodS(unread)).toBeNull();
  expect(newestGoodS({ l: 9, f: false, c: 1 })).toBeUndefined();
});
