import fc from 'fast-check';
import { expect, test } from 'vitest';
import { asResourceId, type Resource } from '../../signals/resource.ts';
import { createResourceLookup } from '../../src/tools/resource-lookup.ts';

const resource = (id: string, name = id, parentId: string | null = null): Resource => ({
  id: asResourceId(id),
  kind: 'host',
  name,
  parentId: parentId === null ? null : asResourceId(parentId),
  status: 'running',
  sourceIds: [],
  tags: [],
  expects: [],
  facts: {},
  presence: 'observed',
});

const lookupOf = (resources: readonly Resource[], merged: readonly (readonly [string, string])[] = []) =>
  createResourceLookup({
    world: { resources, readingsOf: () => [], gapsOf: () => [], lastSurveyAtMs: () => null },
    change: {
      seen: [],
      aliases: [],
      absent: [],
      merged: merged.map(([from, into]) => ({ from: asResourceId(from), into: asResourceId(into) })),
    },
  });

test('whatever ids there are, each is found by what is shown of it', () => {
  fc.assert(
    fc.property(
      fc.uniqueArray(fc.string({ minLength: 1, maxLength: 40, unit: 'binary' }), { maxLength: 20 }),
      (ids) => {
        const lookup = lookupOf(ids.map((id) => resource(id, 'same')));
        for (const id of ids) {
          const shown = lookup.shown(asResourceId(id));
          if (shown.trim() === '') continue;
          expect(lookup.find(shown)).toMatchObject({ kind: 'one' });
        }
      },
    ),
  );
});

test('two ids that look like secrets are shown apart, and lead back to each', () => {
  const ids = ['sk-aaaaaaaaaaaaaaaaaaaaaaaa', 'sk-bbbbbbbbbbbbbbbbbbbbbbbb'];
  const lookup = lookupOf(ids.map((id) => resource(id)));
  const shown = ids.map((id) => lookup.shown(asResourceId(id)));
  expect(shown).toEqual(['[redacted]#1', '[redacted]#2']);
  expect(shown.map((text) => lookup.find(text))).toMatchObject(ids.map((id) => ({ resource: { id } })));
});

test('a name leads to what has it alone', () => {
  const lookup = lookupOf([resource('a', 'Web'), resource('b', 'db'), resource('c', 'DB')]);
  expect(lookup.find(' web ')).toMatchObject({ kind: 'one', resource: { id: 'a' } });
  expect(lookup.find('Db')).toEqual({ kind: 'several', ids: ['b', 'c'] });
});

test('an id that became another one in this run leads to that', () => {
  const lookup = lookupOf([resource('new')], [['old', 'new']]);
  expect(lookup.find('old')).toMatchObject({ kind: 'one', resource: { id: 'new' } });
  expect(lookup.shown(asResourceId('old'))).toBe('new');
});

test('what is below is within, and a loop of parents ends', () => {
  const lookup = lookupOf([resource('a'), resource('b', 'b', 'a'), resource('c', 'c', 'd'), resource('d', 'd', 'c')]);
  expect(lookup.isWithin(asResourceId('b'), asResourceId('a'))).toBe(true);
  expect(lookup.isWithin(asResourceId('a'), asResourceId('b'))).toBe(false);
  expect(lookup.isWithin(asResourceId('c'), asResourceId('a'))).toBe(false);
});
