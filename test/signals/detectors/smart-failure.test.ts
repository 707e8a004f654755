import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { smartFailure } from '../../../signals/detectors/smart-failure.ts';
import { metrics } from '../../../signals/history.ts';
import type { SmartAttribute } from '../../../signals/reading.ts';
import { DAY_MS, HOUR_MS, rankOf, resourceOf, START_MS, signalOf, startStory } from '../../support/signal-story.ts';
import { ata, attribute, count, nvme, seenBefore, story, tests } from '../../support/smart-story.ts';

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
      seenBefore(metrics.nvmeMediaErrors, [
        [300, 2],
        [1, 2],
      ]).look(nvme({ mediaErrors: 2 })).states,
    ).toEqual({ '': 'raised:warning' });
    expect(
      seenBefore(metrics.nvmeMediaErrors, [
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
    seenBefore(metrics.smartAttribute(199), [[1, 1]]).look(readings),
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
