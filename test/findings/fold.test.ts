import fc from 'fast-check';
import { expect, test } from 'vitest';
import { undecided } from '../../findings/finding.ts';
import { type Foldable, fold, foldedUnder, type Place, SYMPTOM_LEADS_BY_MS } from '../../findings/fold.ts';
import { asResourceId, type ResourceId } from '../../signals/resource.ts';
import { DAY_MS, NOW_MS } from '../support/findings.ts';

const place = (parentId: string | null, sourceIds: readonly string[], isSource: string | null = null): Place => ({
  parentId: parentId === null ? null : asResourceId(parentId),
  sourceIds,
  isSource,
});
/** cluster > node > guest > filesystem; a host beside them; two sources. */
const PLACES: ReadonlyMap<string, Place> = new Map([
  ['cluster', place(null, ['pve'])],
  ['node', place('cluster', ['pve'])],
  ['guest', place('node', ['pve', 'checks'])],
  ['fs', place('guest', ['metrics'])],
  ['host', place(null, ['metrics', 'host'])],
  ['source/pve', place(null, ['pve'], 'pve')],
  ['source/metrics', place(null, ['metrics'], 'metrics')],
  ['beside', place(null, ['beside'])],
  ['source/beside', place('beside', ['beside'], 'beside')],
  ['loop', place('pool', [])],
  ['pool', place('loop', [])],
]);
const placeOf = (id: ResourceId) => PLACES.get(id);

const finding = (id: string, resourceId: string, key: string, more: Partial<Foldable> = {}): Foldable => ({
  id,
  resourceId: asResourceId(resourceId),
  key,
  severity: 'warning',
  state: 'active',
  disposition: undecided,
  stale: null,
  foldedUnder: null,
  openedAtMs: NOW_MS,
  ...more,
});
const STALE = { code: 'timed_out', reason: 'no answer', sinceMs: NOW_MS } as const;
const folds = (...findings: readonly Foldable[]) =>
  Object.fromEntries(
    fold({ findings, placeOf }).map(({ findingId, event }) => [
      findingId,
      event.kind === 'folded' ? event.under : null,
    ]),
  );

const nodeDown = finding('cause', 'node', 'target_down', { severity: 'critical' });

test('what does not answer below something that is lost folds under it', () => {
  expect(folds(nodeDown, finding('a', 'guest', 'guest_unreachable'), finding('b', 'fs', 'target_down'))).toEqual({
    a: 'cause',
    b: 'cause',
  });
});

test('the topmost loss is the cause', () => {
  const top = finding('top', 'cluster', 'guest_down', { severity: 'critical' });
  expect(folds(nodeDown, top, finding('a', 'guest', 'guest_unreachable'))).toEqual({ cause: 'top', a: 'top' });
});

test('a fault that was proven by data is no symptom, unless it can not be observed now', () => {
  expect(folds(nodeDown, finding('a', 'fs', 'high_disk'))).toEqual({});
  expect(folds(nodeDown, finding('a', 'fs', 'high_disk', { stale: STALE }))).toEqual({ a: 'cause' });
});

test('what was known before the loss stays what it is; a symptom may be noticed a little earlier', () => {
  expect(folds(nodeDown, finding('a', 'fs', 'high_disk', { stale: STALE, openedAtMs: NOW_MS - DAY_MS }))).toEqual({});
  expect(
    folds(nodeDown, finding('a', 'guest', 'guest_unreachable', { openedAtMs: NOW_MS - SYMPTOM_LEADS_BY_MS })),
  ).toEqual({ a: 'cause' });
  expect(
    folds(nodeDown, finding('a', 'guest', 'guest_unreachable', { openedAtMs: NOW_MS - SYMPTOM_LEADS_BY_MS - 1 })),
  ).toEqual({});
});

test('nothing folds under what is milder than itself', () => {
  const mild = { ...nodeDown, severity: 'warning' } as const;
  expect(folds(mild, finding('a', 'guest', 'guest_unreachable', { severity: 'critical' }))).toEqual({});
});

test('a lost source folds what no other source sees', () => {
  const lost = finding('lost', 'source/pve', 'source_unavailable', { severity: 'critical' });
  expect(folds(lost, finding('a', 'node', 'storage_unavailable'))).toEqual({ a: 'lost' });
  expect(folds(lost, finding('a', 'guest', 'guest_unreachable'))).toEqual({});
  const metricsLost = finding('m', 'source/metrics', 'source_unavailable', { severity: 'critical' });
  expect(folds(metricsLost, finding('a', 'host', 'target_down'))).toEqual({});
});

test('the loss of a part, one that is resolved, and one that was dismissed, are no causes', () => {
  const symptom = finding('a', 'node', 'storage_unavailable');
  const lost = finding('lost', 'source/pve', 'source_unavailable', { severity: 'critical' });
  expect(folds({ ...lost, key: 'source_unavailable:pve2' }, symptom)).toEqual({});
  expect(folds({ ...lost, state: 'resolved' }, symptom)).toEqual({});
  const mark = { severity: 'critical', value: null, unit: null } as const;
  const disposition = {
    kind: 'dismissed',
    reason: 'not_an_issue',
    by: 'ann',
    atMs: NOW_MS,
    note: null,
    mark,
    remindAtMs: null,
  } as const;
  expect(folds({ ...lost, disposition }, symptom)).toEqual({});
  expect(folds({ ...lost, disposition: { kind: 'suppressed', suppressionId: 's', atMs: 0 } }, symptom)).toEqual({
    a: 'lost',
  });
});

test('what is folded comes out when the cause is over, and stays without a word while it lasts', () => {
  const folded = finding('a', 'guest', 'guest_unreachable', { foldedUnder: 'cause' });
  expect(folds(nodeDown, folded)).toEqual({});
  expect(folds(folded)).toEqual({ a: null });
});

test('two losses that explain each other are not both hidden: the one that began first stands', () => {
  const later = finding('b', 'pool', 'target_down', { openedAtMs: NOW_MS + 1 });
  expect(folds(finding('a', 'loop', 'target_down'), later)).toEqual({ b: 'a' });
  const lost = finding('lost', 'source/beside', 'source_unavailable', { openedAtMs: NOW_MS + 1 });
  expect(folds(lost, finding('a', 'beside', 'target_down'))).toEqual({ lost: 'a' });
});

test('a resource that nobody knows holds nothing up', () => {
  expect(folds(nodeDown, finding('c', 'nowhere', 'target_down'))).toEqual({});
});

test('whatever lies under whatever, something is always left standing', () => {
  const resources = [...PLACES.keys()];
  const types = ['target_down', 'source_unavailable', 'guest_unreachable', 'high_disk'];
  fc.assert(
    fc.property(
      fc.array(
        fc.tuple(
          fc.constantFrom(...resources),
          fc.constantFrom(...types),
          fc.integer({ min: 0, max: 3 }),
          fc.boolean(),
        ),
        { minLength: 1, maxLength: 12 },
      ),
      fc.array(fc.option(fc.constantFrom(...resources), { nil: null }), {
        minLength: resources.length,
        maxLength: resources.length,
      }),
      (told, parents) => {
        const findings = told.map(([resourceId, key, at, stale], index) =>
          finding(`f${index}`, resourceId, key, { openedAtMs: NOW_MS + at, stale: stale ? STALE : null }),
        );
        const anyPlace = (id: ResourceId): Place | undefined => {
          const known = PLACES.get(id);
          const parent = parents[resources.indexOf(id)] ?? null;
          return known === undefined
            ? undefined
            : { ...known, parentId: parent === null ? null : asResourceId(parent) };
        };
        const under = new Map(
          fold({ findings, placeOf: anyPlace }).map(({ findingId, event }) => [
            findingId,
            event.kind === 'folded' ? event.under : null,
          ]),
        );
        return findings.every(({ id }) => {
          let at: string | null | undefined = id;
          for (let depth = 0; depth <= findings.length; depth += 1) {
            const above: string | null | undefined = under.get(at ?? '');
            if (above === undefined || above === null) return true;
            at = above;
          }
          return false;
        });
      },
    ),
    { numRuns: 1000 },
  );
});

test('what is folded is grouped under its cause', () => {
  const a = finding('a', 'guest', 'guest_unreachable', { foldedUnder: 'cause' });
  expect([...foldedUnder([nodeDown, a])]).toEqual([['cause', [a]]]);
});
