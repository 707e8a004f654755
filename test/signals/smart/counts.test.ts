import { describe, expect, test } from 'vitest';
import { metrics } from '../../../signals/history.ts';
import { HOUR_MS, MINUTE_MS, signalOf } from '../../support/signal-story.ts';
import { ata, attribute, count, scsi, seenBefore, story } from '../../support/smart-story.ts';

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
    expect(seenBefore(metrics.smartAttribute(id), [[3, 1]]).look(count(id, 2)).states).toEqual({
      '': 'raised:critical',
    });
    expect(
      seenBefore(metrics.smartAttribute(id), [
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
    expect(seenBefore(M, past).look(count(187, value)).states).toEqual({ '': state });
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
    expect(seenBefore(M, past).look(count(5, value)).states).toEqual({ '': state });
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
      expect(seenBefore(M, [[2, 1]]).look(readings).states).toEqual({ '': state });
    },
  );
});

test('transfer errors count while they rise, and are told as cabling', () => {
  const M = metrics.smartAttribute(199);
  expect(story().look(count(199, 4_000)).states).toEqual({ '': 'clear' });
  expect(
    seenBefore(M, [
      [300, 4_000],
      [1, 4_000],
    ]).look(count(199, 4_000)).states,
  ).toEqual({ '': 'clear' });
  const signal = signalOf(
    seenBefore(M, [
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
  expect(seenBefore(metrics.smartAttribute(199), [[1, 4_000]]).look(count(199, 3)).states).toEqual({
    '': 'raised:warning',
  });
  expect(seenBefore(metrics.smartAttribute(187), [[1, 40]]).look(count(187, 0)).states).toEqual({ '': 'clear' });
});

describe('a SAS drive', () => {
  test('with new grown defects is a warning, with old ones well', () => {
    expect(story().look(scsi(40, 0)).states).toEqual({ '': 'clear' });
    expect(seenBefore(metrics.scsiGrownDefects, [[3, 40]]).look(scsi(42, 0)).states).toEqual({ '': 'raised:warning' });
  });

  test('with uncorrected errors is a warning, and critical while they rise', () => {
    expect(story().look(scsi(0, 2)).states).toEqual({ '': 'raised:warning' });
    expect(seenBefore(metrics.scsiUncorrected, [[3, 1]]).look(scsi(0, 2)).states).toEqual({ '': 'raised:critical' });
  });

  test('that tells neither is judged by what it tells', () => {
    expect(story().look(scsi(null, null)).states).toEqual({ '': 'clear' });
  });
});
