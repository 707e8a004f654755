import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { CATEGORIES } from '../../../signals/detector.ts';
import { detectors } from '../../../signals/detectors/index.ts';
import { evaluate, type World } from '../../../signals/evaluate.ts';
import type { Sample } from '../../../signals/history.ts';
import { createLimitResolver, noSettings } from '../../../signals/limits.ts';
import type { Reading, ReadingBody, ReadingKind } from '../../../signals/reading.ts';
import { READING_KINDS } from '../../../signals/reading-mask.ts';
import { RESOURCE_KINDS } from '../../../signals/resource.ts';
import { tell } from '../../support/readings.ts';
import { DAY_MS, GIB, resourceOf, START_MS } from '../../support/signal-story.ts';

test('types are unique, in order, and snake_case', () => {
  const types = detectors.map(({ type }) => type);
  expect(types).toEqual([...new Set(types)].toSorted());
  for (const type of types) expect(type).toMatch(/^[a-z]+(_[a-z]+)*$/);
});

test('a metric has one meaning for each kind of resource', () => {
  const owners = new Map<string, string>();
  for (const { type, limits } of detectors) {
    for (const { metric, kinds } of Object.values(limits)) {
      for (const kind of kinds) {
        const name = `${kind}.${metric}`;
        expect([name, owners.get(name)]).toEqual([name, undefined]);
        owners.set(name, type);
      }
    }
  }
});

describe.each(detectors.map((detector) => [detector.type, detector] as const))('%s', (_, detector) => {
  test('explains itself in whole sentences', () => {
    expect(detector.title).toMatch(/^[A-Z][^.]+$/);
    expect(CATEGORIES).toContain(detector.category);
    expect(detector.explain.length).toBeGreaterThan(80);
    expect(detector.explain.endsWith('.')).toBe(true);
  });

  test('has limits that say where they come from, of kinds that it judges', () => {
    for (const [name, limit] of Object.entries(detector.limits)) {
      expect(limit.because.length).toBeGreaterThan(15);
      expect(limit.metric).toMatch(/^[a-z][A-Za-z]+$/);
      expect(name).toMatch(/^[a-z][A-Za-z]*$/);
      for (const kind of limit.kinds) expect(detector.kinds).toContain(kind);
      const { direction, warning, critical } = limit;
      if (direction === 'state') expect([warning, critical]).toEqual([null, null]);
      if (warning !== null && critical !== null)
        expect(direction === 'below' ? critical < warning : critical > warning).toBe(true);
    }
  });
});

const anyNumber = (near: number): fc.Arbitrary<number> =>
  fc.oneof(
    fc.constantFrom(near, near * 2, near / 2, -near, 0, 1, 100, 400 * GIB, START_MS),
    fc.double({ noNaN: false }),
    fc.integer({ min: 0, max: 200 }),
  );

const NUMBERS = /(?:Ms|Bytes|Ratio|Celsius|Hours|Percent|Code|Count|Errors|Defects)$/;

/** Values near those of the healthy reading, and far from it; sometimes nonsense. */
const mutated = (name: string, value: unknown): fc.Arbitrary<unknown> => {
  if (typeof value === 'number') return anyNumber(value);
  if (value === null) return NUMBERS.test(name) ? fc.option(anyNumber(1)) : fc.constant(null);
  if (typeof value === 'boolean') return fc.boolean();
  return Array.isArray(value) ? fc.constantFrom(value, []) : fc.constant(value);
};

const mutatedAll = (value: object): Record<string, fc.Arbitrary<unknown>> =>
  Object.fromEntries(Object.entries(value).map(([name, each]) => [name, mutated(name, each)]));

const ATTRIBUTE_IDS = [5, 187, 188, 190, 194, 197, 198, 199, 233];
const ATTRIBUTE = { id: 5, name: 'Some_Attribute', value: 100, worst: 100, threshold: 10, prefail: true, count: 3 };
const NVME = { criticalWarning: 0, availableSparePercent: 100, availableSpareThresholdPercent: 10, mediaErrors: 0 };
const SCSI = { grownDefects: 0, uncorrectedErrors: 0 };

/** Parts that the healthy reading leaves out. */
const PARTS: Partial<Record<ReadingKind, Record<string, fc.Arbitrary<unknown>>>> = {
  smart: {
    deviceClass: fc.constantFrom('ata-hdd', 'ata-ssd', 'nvme', 'scsi'),
    healthPassed: fc.option(fc.boolean()),
    nvme: fc.option(fc.record(mutatedAll(NVME))),
    scsi: fc.option(fc.record(mutatedAll(SCSI))),
    attributes: fc.array(
      fc.record({
        ...mutatedAll(ATTRIBUTE),
        id: fc.constantFrom(...ATTRIBUTE_IDS),
        whenFailed: fc.constantFrom('never', 'past', 'now'),
      }),
      { maxLength: 5 },
    ),
    selfTests: fc.array(
      fc.record({
        kind: fc.constantFrom('short', 'extended', 'other'),
        passed: fc.option(fc.boolean()),
        atPowerOnHours: fc.option(fc.nat(40_000)),
      }),
      { maxLength: 4 },
    ),
  },
  zfs_pool: {
    state: fc.constantFrom('ONLINE', 'DEGRADED', 'FAULTED', 'OFFLINE', 'REMOVED', 'UNAVAIL', 'SUSPENDED'),
    members: fc.array(
      fc.record({
        name: fc.constantFrom('sda', 'sdb'),
        state: fc.constantFrom('ONLINE', 'FAULTED'),
        readErrors: anyNumber(1),
        writeErrors: anyNumber(1),
        checksumErrors: anyNumber(1),
      }),
      { maxLength: 3 },
    ),
  },
};

const bodyOf = (kind: ReadingKind): fc.Arbitrary<ReadingBody> =>
  fc.record({
    ...mutatedAll(tell(kind)),
    ...PARTS[kind],
    kind: fc.constant(kind),
  }) as unknown as fc.Arbitrary<ReadingBody>;

const sample: fc.Arbitrary<Sample> = fc.record({
  atMs: fc.integer({ min: START_MS - 10 * DAY_MS, max: START_MS }),
  value: fc.oneof(
    fc.double({ noNaN: false }),
    fc.integer({ min: 0, max: 100 }),
    fc.constantFrom(0, 1, 40 * GIB, 100 * GIB),
  ),
  windowMs: fc.constantFrom(0, 300_000),
});

test('whatever sources tell, no detector throws, names a subject twice, or speaks of NaN', () => {
  const scene = fc.record({
    kind: fc.constantFrom(...RESOURCE_KINDS),
    bodies: fc.array(fc.constantFrom(...READING_KINDS).chain(bodyOf), { maxLength: 4 }),
    samples: fc.array(sample, { maxLength: 12 }).map((all) => all.toSorted((a, b) => a.atMs - b.atMs)),
  });
  fc.assert(
    fc.property(scene, ({ kind, bodies, samples }) => {
      const resource = resourceOf(kind, { expects: READING_KINDS });
      const readings = bodies.map(
        (body, index) =>
          ({
            ...body,
            id: `e${index}`,
            resourceId: resource.id,
            sourceId: 'host',
            takenAtMs: START_MS,
            receivedAtMs: START_MS,
          }) as Reading,
      );
      const world: World = {
        resources: [resource],
        readingsOf: () => readings,
        gapsOf: () => [],
        lastSurveyAtMs: () => null,
      };
      const { verdicts, failures } = evaluate({
        world,
        detectors,
        limits: createLimitResolver(noSettings),
        history: { of: () => ({ samples: () => samples }) },
        memories: { of: () => undefined },
        nowMs: START_MS,
      });
      expect(failures).toEqual([]);
      const keys = verdicts.map(({ detector, subject }) => `${detector}:${subject}`);
      expect(new Set(keys).size).toBe(keys.length);
      for (const verdict of verdicts)
        if (verdict.state === 'raised') expect(verdict.signal.summary).not.toMatch(/NaN|undefined|\[object/);
    }),
    { numRuns: 3_000 },
  );
});
