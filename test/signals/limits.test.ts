import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { formatOrigin } from '../../signals/format.ts';
import type { LimitSpec } from '../../signals/limit.ts';
import {
  type AlertOverride,
  type AlertSettings,
  createLimitResolver,
  type MetricSetting,
  noSettings,
  resolveLimit,
} from '../../signals/limits.ts';
import { asResourceId, RESOURCE_KINDS } from '../../signals/resource.ts';
import { resourceOf } from '../support/signal-story.ts';

const spec: LimitSpec = {
  metric: 'memory',
  kinds: ['vm', 'container', 'host'],
  unit: 'percent',
  direction: 'above',
  warning: 80,
  critical: 95,
  clearBy: 5,
  forMs: 900_000,
  because: '',
};

const vm = resourceOf('vm', { id: asResourceId('home/vm/104'), tags: ['media', 'nightly'], sourceIds: ['home'] });
const container = resourceOf('container', { id: asResourceId('docker/container/web'), sourceIds: ['docker'] });

const at = (path: string, more: Partial<MetricSetting>): MetricSetting => ({ path, ...more });
const kinds = (kind: 'guest' | 'vm' | 'container', setting: MetricSetting): AlertSettings['kinds'] => ({
  [kind]: { memory: setting },
});
const override = (
  match: AlertOverride['match'],
  setting: MetricSetting,
  kind: 'guest' | 'vm' = 'guest',
): AlertOverride => ({
  match,
  settings: { [kind]: { memory: setting } },
});

const resolve = (settings: Partial<AlertSettings>, resource = vm, of = spec) =>
  resolveLimit(of, { ...noSettings, ...settings }, resource);

test('without settings every field is the default, and says so', () => {
  const limit = resolve({});
  expect(limit).toMatchObject({ off: null, forMs: 900_000, forOrigin: { kind: 'default' } });
  expect(limit.warning).toMatchObject({ trigger: 80, clear: 75, origin: { kind: 'default' } });
  expect(limit.critical).toMatchObject({ trigger: 95, clear: 90, origin: { kind: 'default' } });
});

test('fields are taken one by one, each with where it came from', () => {
  const limit = resolve({
    kinds: {
      guest: { memory: at('alerts.guest.memory', { warning: 85 }) },
      vm: { memory: at('alerts.vm.memory', { forMs: 60_000 }) },
    },
    overrides: [override({ tag: 'media' }, at('alerts.overrides[0]', { critical: 97, clear: 82 }))],
  });
  expect(limit.warning).toMatchObject({ trigger: 85, clear: 82 });
  expect(
    [limit.warning?.origin, limit.warning?.clearOrigin, limit.critical?.origin, limit.forOrigin].map(
      (origin) => origin && formatOrigin(origin),
    ),
  ).toEqual([
    'alerts.guest.memory.warning',
    'alerts.overrides[0].clear',
    'alerts.overrides[0].critical',
    'alerts.vm.memory.for',
  ]);
  expect(limit.critical?.origin.kind).toBe('override');
  expect(limit.forOrigin.kind).toBe('setting');
});

test('what was imported says so', () => {
  const limit = resolve({ kinds: kinds('guest', at('HighMemory in rules.yml', { warning: 88, imported: true })) });
  expect(limit.warning?.origin).toEqual({ kind: 'import', path: 'HighMemory in rules.yml.warning' });
});

describe('overrides', () => {
  const overrides = [
    override({ id: 'home/vm/104' }, at('by id', { warning: 91 })),
    override({ tag: 'media' }, at('by tag', { warning: 92, critical: 99 })),
    override({ source: 'home' }, at('by source', { warning: 93, forMs: 1 })),
  ];

  test('an id says more than a tag, a tag more than a source, in whatever order they are written', () => {
    for (const order of [overrides, overrides.toReversed()]) {
      const limit = resolve({ overrides: order });
      expect([limit.warning?.trigger, limit.critical?.trigger, limit.forMs]).toEqual([91, 99, 1]);
    }
  });

  test('among equals the later one wins', () => {
    const two = [
      override({ tag: 'media' }, at('first', { warning: 91 })),
      override({ tag: 'nightly' }, at('second', { warning: 92 })),
    ];
    expect(resolve({ overrides: two }).warning?.trigger).toBe(92);
    expect(resolve({ overrides: two.toReversed() }).warning?.trigger).toBe(91);
  });

  test('all criteria of one must hold', () => {
    const both = [override({ tag: 'media', source: 'elsewhere' }, at('both', { warning: 91 }))];
    expect(resolve({ overrides: both }).warning?.trigger).toBe(80);
  });

  test.each([
    ['home/vm/104', true],
    ['home/vm/*', true],
    ['*/104', true],
    ['*', true],
    ['home*104', true],
    ['home/*/1*4', true],
    ['home/vm/10', false],
    ['home/vm/1?4', false],
    ['vm', false],
    ['*104*104', false],
    ['home/vm/104*4', false],
  ])('an id may hold stars: %s', (id, matches) => {
    const limit = resolve({ overrides: [override({ id }, at('o', { warning: 91 }))] });
    expect(limit.warning?.trigger).toBe(matches ? 91 : 80);
  });

  test('a setting for another kind of resource does not count', () => {
    expect(
      resolve({ overrides: [override({ tag: 'media' }, at('o', { warning: 91 }), 'vm')] }, container).warning?.trigger,
    ).toBe(80);
    expect(resolve({ kinds: kinds('guest', at('g', { warning: 85 })) }, container).warning?.trigger).toBe(85);
  });
});

describe('off', () => {
  test('switches every severity off, and says who did', () => {
    const limit = resolve({ kinds: kinds('guest', at('alerts.guest.memory', { off: true })) });
    expect(limit).toMatchObject({
      off: { kind: 'setting', path: 'alerts.guest.memory' },
      warning: null,
      critical: null,
    });
  });

  test('by an override beats a weaker limit, and a stronger limit switches it on again', () => {
    const off = override({ tag: 'media' }, at('off', { off: true }));
    expect(resolve({ kinds: kinds('guest', at('g', { warning: 85 })), overrides: [off] }).off).toEqual({
      kind: 'override',
      path: 'off',
    });
    const on = override({ id: 'home/vm/104' }, at('on', { warning: 91 }));
    expect(resolve({ overrides: [off, on] })).toMatchObject({ off: null, warning: { trigger: 91 } });
    const explicit = override({ id: 'home/vm/104' }, at('on', { off: false }));
    expect(resolve({ overrides: [off, explicit] })).toMatchObject({ off: null, warning: { trigger: 80 } });
  });

  test('of one severity leaves the other', () => {
    expect(resolve({ kinds: kinds('guest', at('g', { warning: 'off' })) })).toMatchObject({
      off: null,
      warning: null,
      critical: { trigger: 95 },
    });
  });

  test('of every severity by name is off, not clear', () => {
    const limit = resolve({ kinds: kinds('guest', at('g', { warning: 'off', critical: 'off' })) });
    expect(limit.off).toEqual({ kind: 'setting', path: 'g.warning' });
    const warningOnly = resolve({ kinds: kinds('guest', at('g', { warning: 'off' })) }, vm, {
      ...spec,
      critical: null,
    });
    expect(warningOnly.off).not.toBeNull();
  });

  test('is not the same as having no default', () => {
    expect(resolve({}, vm, { ...spec, warning: null, critical: null })).toMatchObject({
      off: null,
      warning: null,
      critical: null,
    });
  });
});

describe('a default critical limit that an operator’s warning has passed', () => {
  test('moves half-way to the end of the scale', () => {
    const limit = resolve({ kinds: kinds('guest', at('g', { warning: 97 })) });
    expect(limit.critical).toMatchObject({ trigger: 98.5, origin: { kind: 'derived' } });
    expect(formatOrigin(limit.critical?.origin ?? { kind: 'default' })).toContain('95');
  });

  test('goes where there is no room left', () => {
    expect(resolve({ kinds: kinds('guest', at('g', { warning: 100 })) }).critical).toBeNull();
  });

  test('keeps its distance where the scale has no end', () => {
    const celsius = { ...spec, unit: 'celsius', warning: 55, critical: 60 } as const;
    expect(resolve({ kinds: kinds('guest', at('g', { warning: 62 })) }, vm, celsius).critical?.trigger).toBe(67);
  });

  test('stays where it was written with the same or more authority', () => {
    const same = resolve({ kinds: kinds('guest', at('g', { warning: 97, critical: 90 })) });
    expect(same.critical).toMatchObject({ trigger: 90, origin: { kind: 'setting' } });
  });

  test('works in the other direction too', () => {
    const below = { ...spec, direction: 'below', warning: 5, critical: 3 } as const;
    expect(resolve({ kinds: kinds('guest', at('g', { warning: 2 })) }, vm, below).critical?.trigger).toBe(1);
  });
});

describe('clear', () => {
  const clearOf = (setting: Partial<MetricSetting>, of: LimitSpec = spec) =>
    resolve({ kinds: kinds('guest', at('g', setting)) }, vm, of).warning;

  test('is the usual distance unless written', () => {
    expect(clearOf({ warning: 60 })).toMatchObject({ clear: 55 });
    expect(clearOf({ warning: 60, clear: 40 })).toMatchObject({
      clear: 40,
      clearOrigin: { kind: 'setting', path: 'g.clear' },
    });
  });

  test('that could not be reached is moved, and that is said', () => {
    expect(clearOf({ warning: 4 })).toMatchObject({ clear: 2, clearOrigin: { kind: 'derived' } });
    expect(clearOf({ warning: 60, clear: -3 })).toMatchObject({ clear: 55, clearOrigin: { kind: 'derived' } });
    const below = { ...spec, direction: 'below', warning: 5, critical: 3 } as const;
    expect(clearOf({ warning: 98 }, below)).toMatchObject({ clear: 99, clearOrigin: { kind: 'derived' } });
    expect(clearOf({ warning: 5, clear: 120 }, below)).toMatchObject({ clear: 10, clearOrigin: { kind: 'derived' } });
  });

  test('that lies past the trigger becomes the trigger', () => {
    expect(clearOf({ warning: 60, clear: 70 })).toMatchObject({
      trigger: 60,
      clear: 60,
      clearOrigin: { kind: 'derived' },
    });
  });

  test('that was written for a weaker layer’s limit does not belong to a stronger one’s', () => {
    const limit = resolve({
      kinds: kinds('guest', at('g', { warning: 60, clear: 50 })),
      overrides: [override({ tag: 'media' }, at('o', { warning: 90 }))],
    });
    expect(limit.warning).toMatchObject({ trigger: 90, clear: 85 });
  });

  test('of counts may be 0, which they reach', () => {
    expect(clearOf({ warning: 1 }, { ...spec, unit: 'count', clearBy: 1 })).toMatchObject({ clear: 0 });
    expect(clearOf({ warning: 1 }, { ...spec, unit: 'count', clearBy: 5 })).toMatchObject({ clear: 0 });
  });
});

describe('the resolver', () => {
  const settings: AlertSettings = {
    kinds: kinds('guest', at('g', { warning: 85 })),
    overrides: [
      override({ id: 'home/vm/*' }, at('id', { critical: 99 })),
      override({ tag: 'a,b' }, at('tag', { warning: 70 })),
      override({ tag: 'a', source: 'home' }, at('both', { forMs: 7 })),
    ],
  };

  test('answers as the plain function does, for resources alike and not', () => {
    const resolver = createLimitResolver(settings);
    const tag = fc.constantFrom('a', 'b', 'a,b');
    const any = fc.record({
      kind: fc.constantFrom(...RESOURCE_KINDS),
      id: fc.constantFrom('home/vm/1', 'home/vm/2', 'x').map(asResourceId),
      tags: fc.uniqueArray(tag),
      sourceIds: fc.uniqueArray(fc.constantFrom('home', 'docker')),
    });
    fc.assert(
      fc.property(any, ({ kind, ...more }) => {
        const resource = resourceOf(kind, more);
        expect(resolver.of(spec, resource)).toEqual(resolveLimit(spec, settings, resource));
        expect(resolver.for(resource).all({ memory: spec }).limits['memory']).toEqual(
          resolveLimit(spec, settings, resource),
        );
      }),
      { numRuns: 500 },
    );
  });

  test('gives the same object to alike resources', () => {
    const resolver = createLimitResolver(settings);
    const other = { ...container, id: asResourceId('docker/container/db') };
    const specs = { memory: spec };
    expect(resolver.for(container).all(specs)).toBe(resolver.for(other).all(specs));
  });

  test('says when every limit of a detector is off', () => {
    const off = createLimitResolver({ ...noSettings, kinds: kinds('guest', at('g', { off: true })) });
    expect(off.for(vm).all({ memory: spec }).allOff).toBe(true);
    expect(off.for(vm).all({ memory: spec, other: { ...spec, metric: 'other' } }).allOff).toBe(false);
    expect(off.for(vm).all({}).allOff).toBe(false);
  });
});
