import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { smartFailure } from '../../../signals/detectors/smart-failure.ts';
import { metrics } from '../../../signals/history.ts';
import type { NvmeHealth, SelfTest, SmartAttribute, SmartReading } from '../../../signals/reading.ts';
import { tell } from '../../support/readings.ts';
import {
  DAY_MS,
  HOUR_MS,
  MINUTE_MS,
  rankOf,
  resourceOf,
  START_MS,
  settingsOf,
  signalOf,
  startStory,
} from '../../support/signal-story.ts';

const disk = resourceOf('disk', { expects: ['smart'] });
const story = (metric = 'smartHealth', settings: Record<string, unknown> = {}) =>
  startStory({ detector: smartFailure, resource: disk, settings: settingsOf('disk', metric, settings) });

const attribute = (id: number, count: number, more: Partial<SmartAttribute> = {}): SmartAttribute => ({
  id,
  name: `Attribute_${id}`,
  value: 100,
  worst: 100,
  threshold: 10,
  prefail: false,
  count,
  whenFailed: 'never',
  ...more,
});
const ata = (attributes: readonly SmartAttribute[], more: Partial<SmartReading> = {}) => [
  tell('smart', { attributes, ...more }),
];
const count = (id: number, value: number, more: Partial<SmartReading> = {}) => ata([attribute(id, value)], more);
const nvme = (health: Partial<NvmeHealth> = {}, more: Partial<SmartReading> = {}) => [
  tell('smart', {
    deviceClass: 'nvme',
    nvme: {
      criticalWarning: 0,
      availableSparePercent: 100,
      availableSpareThresholdPercent: 10,
      mediaErrors: 0,
      ...health,
    },
    ...more,
  }),
];
const scsi = (grownDefects: number | null, uncorrectedErrors: number | null) => [
  tell('smart', { deviceClass: 'scsi', scsi: { grownDefects, uncorrectedErrors } }),
];
const tests = (...selfTests: readonly (readonly [SelfTest['kind'], boolean | null])[]) =>
  ata([], { selfTests: selfTests.map(([kind, passed]) => ({ kind, passed, atPowerOnHours: 19_000 })) });

/** What a disk is after it was seen before with other counts. */
const after = (metric: string, past: readonly (readonly [daysAgo: number, value: number])[]) =>
  story().past(
    metric,
    past.map(([daysAgo, value]) => [START_MS - daysAgo * DAY_MS, value]),
  );

describe('a disk without a fault', () => {
  test.each([
    ['that says so, with its table read', {}, 'clear'],
    ['that does not tell its overall health', { healthPassed: null }, 'unobserved:not_supported'],
    ['whose table or log could not be read', { logRead: false }, 'unobserved:not_supported'],
  ] as const)('%s is %s', (_, more, state) => {
    expect(story().look(ata([attribute(5, 0)], more)).states).toEqual({ '': state });
  });

  test('that sleeps, has no SMART, or was not read in this run', () => {
    const gap = (code: 'asleep' | 'not_supported' | 'not_due') => ({
      gaps: [{ sourceId: 'host', reads: ['smart'], code, reason: code } as const],
    });
    expect(story().look([], gap('asleep')).states).toEqual({ '': 'unobserved:asleep' });
    expect(story().look([], gap('not_supported')).states).toEqual({ '': 'unobserved:not_supported' });
    expect(story().look([], gap('not_due'))).toMatchObject({ verdicts: [], skipped: [{ code: 'not_due' }] });
  });

  test('that is none: virtual disks and volumes are out of scope', () => {
    const virtual = startStory({
      detector: smartFailure,
      resource: resourceOf('disk', { expects: ['smart'], facts: { virtual: true } }),
    });
    expect(virtual.look(ata([], { healthPassed: false }))).toMatchObject({
      verdicts: [],
      skipped: [{ code: 'out_of_scope' }],
    });
  });

  test('with a packed counter is not judged by it', () => {
    expect(story().look(count(188, 4_295_032_833)).states).toEqual({ '': 'clear' });
    expect(story().look(count(197, 2 ** 40)).states).toEqual({ '': 'clear' });
  });
});

describe('the overall flag', () => {
  test('is critical, also where nothing else could be read', () => {
    expect(story().look(ata([], { healthPassed: false })).states).toEqual({ '': 'raised:critical' });
    expect(story().look(ata([], { healthPassed: false, logRead: false })).states).toEqual({ '': 'raised:critical' });
  });

  test('that an NVMe drive’s own log contradicts is a warning that says so', () => {
    const signal = signalOf(story().look(nvme({}, { healthPassed: false })));
    expect(signal.severity).toBe('warning');
    expect(signal.summary).toContain(
      'its own health log contradicts that: no critical warning is set and 100 % of the spare blocks are left',
    );
  });

  test('that heat alone explains is left to temperature_high', () => {
    expect(story().look(nvme({ criticalWarning: 0b10 }, { healthPassed: false })).states).toEqual({ '': 'clear' });
    const hot = ata([attribute(190, 60, { whenFailed: 'now', prefail: true })], { healthPassed: false });
    expect(story().look(hot).states).toEqual({ '': 'clear' });
    const alsoBad = ata(
      [attribute(190, 60, { whenFailed: 'now' }), attribute(5, 0, { whenFailed: 'now', prefail: true })],
      { healthPassed: false },
    );
    expect(story().look(alsoBad).states).toEqual({ '': 'raised:critical' });
  });
});

describe('an NVMe drive', () => {
  test.each([
    [0b000001, 'the spare blocks are nearly used up'],
    [0b000100, 'reliability is degraded by media or internal errors'],
    [0b001000, 'the drive has turned read-only'],
    [0b010000, 'the backup of its volatile memory has failed'],
    [0b100000, 'its persistent memory region has turned read-only or unreliable'],
    [0b1000000, 'warning bits 0x40'],
    [0b001110, 'reliability is degraded by media or internal errors, the drive has turned read-only'],
  ])('with critical warning %d is critical, in words', (criticalWarning, words) => {
    const signal = signalOf(story().look(nvme({ criticalWarning }, { healthPassed: false })));
    expect([signal.severity, signal.summary]).toEqual([
      'critical',
      `the drive warns: ${words}; the drive calls itself failed`,
    ]);
  });

  test('with less spare than its own limit is critical, at it is not', () => {
    expect(story().look(nvme({ availableSparePercent: 9 })).states).toEqual({ '': 'raised:critical' });
    expect(story().look(nvme({ availableSparePercent: 10 })).states).toEqual({ '': 'clear' });
  });

  test('with media errors is a warning, and critical while they rise', () => {
    expect(story().look(nvme({ mediaErrors: 2 })).states).toEqual({ '': 'raised:warning' });
    expect(
      after(metrics.nvmeMediaErrors, [
        [300, 2],
        [1, 2],
      ]).look(nvme({ mediaErrors: 2 })).states,
    ).toEqual({ '': 'raised:warning' });
    expect(
      after(metrics.nvmeMediaErrors, [
        [300, 2],
        [1, 2],
      ]).look(nvme({ mediaErrors: 3 })).states,
    ).toEqual({ '': 'raised:critical' });
  });
});

test('a prefail attribute at or below its own threshold now is critical, others are not', () => {
  const failing = (more: Partial<SmartAttribute>) =>
    story().look(ata([attribute(3, 0, { prefail: true, ...more })])).states[''];
  expect(failing({ value: 10, threshold: 10 })).toBe('raised:critical');
  expect(failing({ value: 11, threshold: 10 })).toBe('clear');
  expect(failing({ value: 1, threshold: 0 })).toBe('clear');
  expect(failing({ value: null, threshold: null, whenFailed: 'now' })).toBe('raised:critical');
  expect(failing({ whenFailed: 'past' })).toBe('clear');
  expect(failing({ value: 5, prefail: false })).toBe('clear');
});

describe.each([[197], [198]])('attribute %d', (id) => {
  test('counts in two reads, which are not two looks at one read', () => {
    const one = story();
    expect(one.look(count(id, 1)).states).toEqual({ '': 'unobserved:confirming' });
    const sameRead = count(id, 1).map((reading) => ({ ...reading, stamp: { ageMs: 5 * MINUTE_MS } }));
    expect(one.wait(5 * MINUTE_MS).look(sameRead).states).toEqual({ '': 'unobserved:confirming' });
    expect(
      one
        .restart()
        .wait(55 * MINUTE_MS)
        .look(count(id, 1)).states,
    ).toEqual({ '': 'raised:warning' });
  });

  test('that was rewritten in between never was a finding', () => {
    const one = story();
    one.look(count(id, 1));
    expect(one.wait(HOUR_MS).look(count(id, 0)).states).toEqual({ '': 'clear' });
    expect(one.wait(HOUR_MS).look(count(id, 1)).states).toEqual({ '': 'unobserved:confirming' });
  });

  test('is critical above 8, or while it rises, at once', () => {
    expect(story().look(count(id, 9)).states).toEqual({ '': 'raised:critical' });
    expect(after(metrics.smartAttribute(id), [[3, 1]]).look(count(id, 2)).states).toEqual({ '': 'raised:critical' });
    expect(
      after(metrics.smartAttribute(id), [
        [30, 1],
        [9, 2],
        [1, 2],
      ]).look(count(id, 2)).states,
    ).toEqual({ '': 'unobserved:confirming' });
  });

  test('that falls is healing, and clears at none', () => {
    const one = story();
    const said = [12, 8, 3, 0].map((sectors) => one.wait(HOUR_MS).look(count(id, sectors)).states['']);
    expect(said).toEqual(['raised:critical', 'raised:warning', 'raised:warning', 'clear']);
  });
});

test('sectors that wait are not counted for another fault’s sake before they were seen twice', () => {
  const one = story();
  const failing = ata([attribute(197, 2)], { wearUsedPercent: 85 });
  expect(signalOf(one.look(failing)).summary).not.toContain('wait');
  expect(signalOf(one.wait(HOUR_MS).look(failing)).summary).toContain(
    '2 sectors can not be read and wait to be reallocated (attribute 197)',
  );
});

describe('reported uncorrectable errors', () => {
  const M = metrics.smartAttribute(187);
  test.each([
    ['none', [], 0, 'clear'],
    ['some at the first look', [], 5, 'raised:warning'],
    [
      'that have stood still',
      [
        [200, 5],
        [1, 5],
      ],
      5,
      'raised:warning',
    ],
    [
      'that are new',
      [
        [200, 0],
        [1, 0],
      ],
      1,
      'raised:critical',
    ],
    [
      'that rise',
      [
        [200, 5],
        [1, 5],
      ],
      6,
      'raised:critical',
    ],
    [
      'that rose eight days ago',
      [
        [200, 5],
        [8, 6],
        [1, 6],
      ],
      6,
      'raised:warning',
    ],
  ] as const)('%s', (_, past, value, state) => {
    expect(after(M, past).look(count(187, value)).states).toEqual({ '': state });
  });
});

describe('reallocated sectors', () => {
  const M = metrics.smartAttribute(5);
  test.each([
    ['a few', [], 16, 'clear'],
    ['many', [], 17, 'raised:warning'],
    ['few that rise', [[2, 3]], 4, 'raised:warning'],
    ['many that rise', [[2, 16]], 17, 'raised:critical'],
    [
      'many that have stood still',
      [
        [100, 300],
        [1, 300],
      ],
      300,
      'raised:warning',
    ],
  ] as const)('of a hard disk: %s', (_, past, value, state) => {
    expect(after(M, past).look(count(5, value)).states).toEqual({ '': state });
  });

  test.each([
    [500, 100, 10, 'clear'],
    [500, 20, 10, 'raised:warning'],
    [500, 21, 10, 'clear'],
    [0, 5, 10, 'clear'],
    [500, 10, 0, 'raised:warning'],
  ])(
    'of an SSD are judged by the maker’s scale: %d blocks, at %d of 100 with a threshold of %d',
    (raw, value, threshold, state) => {
      const readings = ata([attribute(5, raw, { value, threshold })], { deviceClass: 'ata-ssd' });
      expect(after(M, [[2, 1]]).look(readings).states).toEqual({ '': state });
    },
  );
});

test('transfer errors count while they rise, and are told as cabling', () => {
  const M = metrics.smartAttribute(199);
  expect(story().look(count(199, 4_000)).states).toEqual({ '': 'clear' });
  expect(
    after(M, [
      [300, 4_000],
      [1, 4_000],
    ]).look(count(199, 4_000)).states,
  ).toEqual({ '': 'clear' });
  const signal = signalOf(
    after(M, [
      [300, 4_000],
      [1, 4_000],
    ]).look(count(199, 4_012)),
  );
  expect(signal).toMatchObject({ severity: 'warning', level: { value: 12 } });
  expect(signal.summary).toContain(
    '12 new transfer errors between drive and controller (attribute 199, 4012 in all): check cable',
  );
});

test('a counter that fell was reset: what it shows afterwards is new', () => {
  expect(after(metrics.smartAttribute(199), [[1, 4_000]]).look(count(199, 3)).states).toEqual({ '': 'raised:warning' });
  expect(after(metrics.smartAttribute(187), [[1, 40]]).look(count(187, 0)).states).toEqual({ '': 'clear' });
});

describe('a SAS drive', () => {
  test('with new grown defects is a warning, with old ones well', () => {
    expect(story().look(scsi(40, 0)).states).toEqual({ '': 'clear' });
    expect(after(metrics.scsiGrownDefects, [[3, 40]]).look(scsi(42, 0)).states).toEqual({ '': 'raised:warning' });
  });

  test('with uncorrected errors is a warning, and critical while they rise', () => {
    expect(story().look(scsi(0, 2)).states).toEqual({ '': 'raised:warning' });
    expect(after(metrics.scsiUncorrected, [[3, 1]]).look(scsi(0, 2)).states).toEqual({ '': 'raised:critical' });
  });

  test('that tells neither is judged by what it tells', () => {
    expect(story().look(scsi(null, null)).states).toEqual({ '': 'clear' });
  });
});

describe('wear', () => {
  test.each([
    [null, 'clear'],
    [79, 'clear'],
    [80, 'raised:warning'],
    [94, 'raised:warning'],
    [95, 'raised:warning'],
    [250, 'raised:warning'],
  ])('of %s %% is %s: never critical alone', (wearUsedPercent, state) => {
    expect(story().look(nvme({}, { wearUsedPercent })).states).toEqual({ '': state });
  });

  test('near the end says to replace it soon', () => {
    expect(signalOf(story().look(nvme({}, { wearUsedPercent: 81 }))).summary).toBe(
      '81 % of its rated endurance used, limit 80 % (default)',
    );
    expect(signalOf(story().look(nvme({}, { wearUsedPercent: 95 }))).summary).toContain('replace it soon');
  });

  test('may have a critical limit that the operator wrote', () => {
    expect(story('wear', { critical: 99 }).look(nvme({}, { wearUsedPercent: 100 })).states).toEqual({
      '': 'raised:critical',
    });
  });
});

describe('self-tests', () => {
  test.each([
    ['none', tests(), 'clear'],
    ['one failed', tests(['short', false]), 'raised:critical'],
    ['a failed one, then the same passed', tests(['short', true], ['short', false]), 'clear'],
    ['a failed short one, then an extended one passed', tests(['extended', true], ['short', false]), 'clear'],
    ['a failed extended one, then a short one passed', tests(['short', true], ['extended', false]), 'raised:critical'],
    ['a failed one, then an aborted one', tests(['extended', null], ['extended', false]), 'raised:critical'],
    ['passed, then failed', tests(['short', false], ['extended', true]), 'raised:critical'],
    ['a failed conveyance test, then a short one passed', tests(['short', true], ['other', false]), 'clear'],
  ])('%s', (_, readings, state) => {
    expect(story().look(readings).states).toEqual({ '': state });
  });

  test('that failed say when, by the hours of operation', () => {
    expect(signalOf(story().look(tests(['extended', false])))).toMatchObject({
      summary: 'an extended self-test failed, 1000 hours of operation ago, and none as long has passed since',
      clearsWhen: 'an extended self-test passes',
    });
  });
});

test('one finding names everything that is wrong, the worst first, with its figure', () => {
  const readings = ata([attribute(187, 12), attribute(199, 3), attribute(197, 40)], { wearUsedPercent: 90 });
  const { summary, severity, level, key, clearsWhen } = signalOf(
    after(metrics.smartAttribute(199), [[1, 1]]).look(readings),
  );
  expect([key, severity, level?.value]).toEqual(['smart_failure', 'critical', 40]);
  expect(summary.indexOf('40 sectors')).toBe(0);
  for (const part of ['12 uncorrectable errors', '2 new transfer errors', '90 % of its rated endurance'])
    expect(summary).toContain(part);
  expect(clearsWhen).toBe('no sector waits any more, and the drive is replaced, and there are no new ones for 7 d');
});

test('each part may be switched off, or have a limit of its own', () => {
  expect(story('smartHealth', { off: true }).look(ata([], { healthPassed: false })).states).not.toEqual({
    '': 'raised:critical',
  });
  expect(story('selfTest', { off: true }).look(tests(['short', false])).states).toEqual({ '': 'clear' });
  expect(story('pendingSectors', { off: true }).look(count(197, 90)).states).toEqual({ '': 'clear' });
  expect(story('reallocatedSectors', { warning: 100 }).look(count(5, 90)).states).toEqual({ '': 'clear' });
});

test('a restart keeps since when, and the band needs none', () => {
  const one = story();
  one.look(count(187, 5));
  expect(signalOf(one.restart().wait(HOUR_MS).look(count(187, 5)))).toMatchObject({
    severity: 'warning',
    sinceMs: START_MS,
  });
});

test('a worse disk never has a lower severity', () => {
  const worsen = {
    pending: fc.nat(30),
    uncorrectable: fc.nat(30),
    reallocated: fc.nat(60),
    crc: fc.nat(30),
    wear: fc.integer({ min: 0, max: 120 }),
    failed: fc.boolean(),
  };
  type Health = { [K in keyof typeof worsen]: K extends 'failed' ? boolean : number };
  const health = fc.record(worsen) as fc.Arbitrary<Health>;
  const rank = (
    { pending, uncorrectable, reallocated, crc, wear, failed }: Health,
    past: Health,
    looks: number,
  ): number => {
    const one = story();
    for (const [id, value] of [
      [197, past.pending],
      [187, past.uncorrectable],
      [5, past.reallocated],
      [199, past.crc],
    ] as const) {
      one.past(metrics.smartAttribute(id), [[START_MS - DAY_MS, value]]);
    }
    const readings = ata(
      [attribute(197, pending), attribute(187, uncorrectable), attribute(5, reallocated), attribute(199, crc)],
      {
        wearUsedPercent: wear,
        healthPassed: !failed,
      },
    );
    for (let look = 1; look < looks; look += 1) one.look(readings);
    return rankOf(one.wait(HOUR_MS).look(readings));
  };
  fc.assert(
    fc.property(health, health, health, fc.constantFrom(1, 2), (past, base, added, looks) => {
      // Counters do not fall: a fall is a reset, and no better or worse than before.
      const now: Health = {
        ...base,
        uncorrectable: past.uncorrectable + base.uncorrectable,
        reallocated: past.reallocated + base.reallocated,
        crc: past.crc + base.crc,
      };
      const worse: Health = {
        pending: now.pending + added.pending,
        uncorrectable: now.uncorrectable + added.uncorrectable,
        reallocated: now.reallocated + added.reallocated,
        crc: now.crc + added.crc,
        wear: now.wear + added.wear,
        failed: now.failed || added.failed,
      };
      expect(rank(worse, past, looks)).toBeGreaterThanOrEqual(rank(now, past, looks));
    }),
    { numRuns: 500 },
  );
});
