import fc from 'fast-check';
import { expect, test } from 'vitest';
import { EMPTY_WORDS, findNearDuplicate, type Likened, type Wording } from '../../findings/near-duplicate.ts';
import { asResourceId } from '../../signals/resource.ts';
import { NOW_MS } from '../support/findings.ts';

const resourceId = asResourceId('nas1');
const wording = (key: string, title: string, category: Wording['category'] = 'capacity'): Wording => ({
  resourceId,
  key,
  title,
  category,
});
const known = (id: string, from: Wording, more: Partial<Likened> = {}): Likened => ({
  ...from,
  id,
  state: 'active',
  lastSeenAtMs: NOW_MS,
  ...more,
});

test.each([
  ['old-snapshots', 'Old snapshots pile up', 'snapshots-old', 'Old snapshots are piling up'],
  ['old-snapshots', 'Old snapshots pile up', 'old_snapshots', 'There are very many old snapshots'],
  [
    'disk-space-low',
    'Disk space is low on the root filesystem',
    'low-disk-space',
    'Root filesystem has low disk space',
  ],
  ['log-growth', 'Logs grow by 3 GiB a day', 'log-growth', 'Logs grow by 4 GiB a day'],
])('%s "%s" and %s "%s" are one problem', (key, title, otherKey, otherTitle) => {
  expect(findNearDuplicate(wording(otherKey, otherTitle), [known('f1', wording(key, title))])).toBe('f1');
});

test.each([
  ['disk-sda-failing', 'Disk sda is failing', 'disk-sdb-failing', 'Disk sdb is failing'],
  [
    'pending-sectors',
    'Reallocated sectors growing on disk sda',
    'pending-sectors',
    'Reallocated sectors growing on disk sdb',
  ],
  ['container-web1-restarts', 'Container web1 restarts', 'container-web2-restarts', 'Container web2 restarts'],
  ['space:/srv', 'Filesystem /srv fills up', 'space:/var', 'Filesystem /var fills up'],
  ['old-snapshots', 'Old snapshots pile up', 'backup-gap', 'No backup since Tuesday'],
  ['ssl', 'Certificate expires', 'dns', 'Name server is slow'],
])('%s "%s" and %s "%s" are two', (key, title, otherKey, otherTitle) => {
  expect(findNearDuplicate(wording(otherKey, otherTitle), [known('f1', wording(key, title))])).toBeNull();
});

test('another resource is another problem, whatever the words', () => {
  const here = wording('old-snapshots', 'Old snapshots pile up');
  expect(findNearDuplicate(here, [known('f1', { ...here, resourceId: asResourceId('nas2') })])).toBeNull();
});

test('across categories only what is nearly the same is one problem', () => {
  const here = wording('old-snapshots', 'Old snapshots pile up');
  expect(findNearDuplicate({ ...here, category: 'general' }, [known('f1', here)])).toBe('f1');
  expect(
    findNearDuplicate(wording('old-snapshots', 'Snapshots cost space', 'general'), [known('f1', here)]),
  ).toBeNull();
});

test('what goes on is preferred to what is over, then what was seen last', () => {
  const here = wording('old-snapshots', 'Old snapshots pile up');
  const over = known('over', here, { state: 'resolved', lastSeenAtMs: NOW_MS + 2 });
  expect(findNearDuplicate(here, [over, known('on', here)])).toBe('on');
  expect(findNearDuplicate(here, [known('a', here), known('b', here, { lastSeenAtMs: NOW_MS + 1 })])).toBe('b');
});

test('any wording is like itself unless it has no words', () => {
  fc.assert(
    fc.property(
      fc.string({ maxLength: 80 }),
      fc.string({ maxLength: 200 }),
      fc.string({ maxLength: 200 }),
      (key, title, other) => {
        const here = wording(key, title);
        findNearDuplicate(here, [known('f1', wording(other, other))]);
        const self = findNearDuplicate(here, [known('f1', here)]);
        // A word alone that says nothing (an article) is none.
        const words = `${key} ${title}`.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
        return self === 'f1' || words.every((word) => EMPTY_WORDS.has(word));
      },
    ),
  );
});
