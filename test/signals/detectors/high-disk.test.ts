import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { highDisk } from '../../../signals/detectors/high-disk.ts';
import { metrics } from '../../../signals/history.ts';
import { tell } from '../../support/readings.ts';
import {
  DAY_MS,
  GIB,
  HOUR_MS,
  MINUTE_MS,
  rankOf,
  resourceOf,
  START_MS,
  settingsOf,
  signalOf,
  startStory,
} from '../../support/signal-story.ts';

const filesystem = resourceOf('filesystem', { expects: ['filesystem'], facts: { fsType: 'ext4' } });
const story = (resource = filesystem, settings: Record<string, unknown> = {}) =>
  startStory({ detector: highDisk, resource, settings: settingsOf(resource.kind, 'usage', settings) });

/** A volume of a size with a share of it used; nothing reserved. */
const space = (usedPercent: number, sizeBytes = 100 * GIB) => {
  const usedBytes = (usedPercent / 100) * sizeBytes;
  return { sizeBytes, usedBytes, availableBytes: sizeBytes - usedBytes };
};
const filled = (usedPercent: number, sizeBytes?: number) => [tell('filesystem', space(usedPercent, sizeBytes))];
const capacity = (usedPercent: number, sizeBytes?: number) => [tell('capacity', space(usedPercent, sizeBytes))];

/** Steady samples of the days before, or growing ones. */
const past = (usedBytes: number, days: number, perHour = 0): (readonly [number, number])[] =>
  Array.from({ length: days * 24 }, (_, index) => {
    const hoursAgo = days * 24 - index;
    return [START_MS - hoursAgo * HOUR_MS, usedBytes - hoursAgo * perHour] as const;
  });

describe('a small volume', () => {
  test.each([
    [0, 'clear'],
    [74.9, 'clear'],
    [75, 'raised:warning'],
    [94.9, 'raised:warning'],
    [95, 'raised:critical'],
    [100, 'raised:critical'],
  ])('at %d %% is %s', (percent, state) => {
    expect(story().look(filled(percent)).states).toEqual({ '': state });
  });

  test('is told with what is left, the limit, where that came from and what clears it', () => {
    expect(signalOf(story().look(filled(92.3)))).toMatchObject({
      key: 'high_disk',
      category: 'capacity',
      summary: '92.3 % used, limit 75 % (default); 7.7 GiB of 100 GiB left',
      clearsWhen: 'use is back at 70 % or less',
      level: { value: 92.3, unit: 'percent', limit: { trigger: 75, clear: 70 } },
    });
  });

  test('stays raised inside the band, for each severity', () => {
    const one = story();
    const said = [74, 76, 71, 96, 91, 90, 94.9, 71, 70, 74].map(
      (percent) => one.wait(5 * MINUTE_MS).look(filled(percent)).states[''],
    );
    const [clear, warning, critical] = ['clear', 'raised:warning', 'raised:critical'];
    expect(said).toEqual([clear, warning, warning, critical, critical, warning, warning, warning, clear, clear]);
  });
});

test('what is reserved for root is neither used nor available', () => {
  const reserved = [tell('filesystem', { sizeBytes: 100 * GIB, usedBytes: 72 * GIB, availableBytes: 23 * GIB })];
  expect(signalOf(story().look(reserved)).level?.value).toBeCloseTo(75.79, 2);
});

describe('a volume above 400 GiB, with default limits', () => {
  const SIZE = 10_000 * GIB;

  test('with much room and no trend is clear', () => {
    const one = story().past(metrics.usedBytes, past(8_000 * GIB, 3));
    expect(one.look(filled(80, SIZE)).states).toEqual({ '': 'clear' });
  });

  test('whose trend is not known yet is unobserved, until a day was seen', () => {
    const young = story().look(filled(80, SIZE));
    expect(young.states).toEqual({ '': 'unobserved:warming_up' });
    expect(young.verdict).toMatchObject({ retryAtMs: START_MS + DAY_MS });
  });

  test('below the percentage is clear, whatever its trend', () => {
    expect(story().look(filled(60, SIZE)).states).toEqual({ '': 'clear' });
  });

  test.each([
    [500, 99, 'raised:warning'],
    [500, 101, 'clear'],
    [2_000, 24, 'raised:critical'],
    [2_000, 26, 'raised:warning'],
  ])('of %d GiB with %d GiB left is %s', (size, left, state) => {
    const used = (size - left) * GIB;
    const one = story().past(metrics.usedBytes, past(used, 2));
    expect(
      one.look([tell('filesystem', { sizeBytes: size * GIB, usedBytes: used, availableBytes: left * GIB })]).states,
    ).toEqual({ '': state });
  });

  test('at the critical percentage is a warning at least, even where no trend is known', () => {
    expect(story().look(filled(96, SIZE)).states).toEqual({ '': 'raised:warning' });
  });

  test('that fills up within 30 d is a warning, within 3 d and past the critical percentage critical', () => {
    const used = 8_000 * GIB;
    // 2,000 GiB left at 3 GiB an hour are 28 days: two weeks of samples tell so.
    const slow = story().past(metrics.usedBytes, past(used, 15, 3 * GIB));
    expect(slow.look(filled(80, SIZE)).states).toEqual({ '': 'raised:warning' });
    const fast = story().past(metrics.usedBytes, past(9_600 * GIB, 3, 8 * GIB));
    expect(fast.look(filled(96, SIZE)).states).toEqual({ '': 'raised:critical' });
  });

  test('stays raised between 100 and 110 GiB left', () => {
    const one = story().past(metrics.usedBytes, past(400 * GIB, 2));
    const said = [99, 105, 109, 111, 105].map((left) => {
      const body = tell('filesystem', {
        sizeBytes: 500 * GIB,
        usedBytes: (500 - left) * GIB,
        availableBytes: left * GIB,
      });
      return one.wait(MINUTE_MS).look([body]).states[''];
    });
    expect(said).toEqual(['raised:warning', 'raised:warning', 'raised:warning', 'clear', 'clear']);
  });

  test('says that room, too, would clear it', () => {
    const one = story().past(metrics.usedBytes, past(450 * GIB, 2));
    expect(signalOf(one.look(filled(90, 500 * GIB))).clearsWhen).toContain(
      '110 GiB or more are left and it does not fill up within 33 d',
    );
  });

  test('is judged by the percentage alone where the operator wrote it, severity by severity', () => {
    expect(story(filesystem, { warning: 75 }).look(filled(80, SIZE)).states).toEqual({ '': 'raised:warning' });
    expect(story(filesystem, { critical: 79 }).look(filled(80, SIZE)).states).toEqual({ '': 'raised:critical' });
    expect(story(filesystem, { warning: 75 }).look(filled(96, SIZE)).states).toEqual({ '': 'raised:warning' });
    expect(signalOf(story(filesystem, { warning: 75 }).look(filled(80, SIZE))).clearsWhen).toBe(
      'use is back at 70 % or less',
    );
  });

  test.each([
    ['a ZFS pool', resourceOf('pool', { expects: ['capacity'] })],
    ['a backup datastore', resourceOf('datastore', { expects: ['capacity'] })],
    ['a ZFS storage', resourceOf('storage', { expects: ['capacity'], facts: { storageType: 'zfspool' } })],
    ['a thin LVM storage', resourceOf('storage', { expects: ['capacity'], facts: { storageType: 'lvmthin' } })],
    ['Ceph', resourceOf('storage', { expects: ['capacity'], facts: { storageType: 'rbd' } })],
    ['a ZFS dataset', resourceOf('filesystem', { expects: ['capacity'], facts: { fsType: 'zfs' } })],
  ])('is judged by the percentage alone on %s', (_, resource) => {
    expect(story(resource).look(capacity(80, SIZE)).states).toEqual({ '': 'raised:warning' });
    expect(story(resource).look(capacity(96, SIZE)).states).toEqual({ '': 'raised:critical' });
  });
});

describe('out of scope is', () => {
  test('an image that is full by design (a snap’s squashfs)', () => {
    const snap = resourceOf('filesystem', { expects: ['filesystem'], facts: { fsType: 'squashfs' } });
    expect(story(snap).look(filled(100))).toMatchObject({ verdicts: [], skipped: [{ code: 'out_of_scope' }] });
  });

  test('a thin pool, which has a detector of its own', () => {
    expect(story(resourceOf('pool', { expects: ['thin_pool', 'capacity'] })).look(capacity(99)).verdicts).toEqual([]);
  });

  test('what has never been writable', () => {
    const readOnly = [tell('filesystem', { ...space(100), superblockReadOnly: true })];
    expect(story().look(readOnly)).toMatchObject({ verdicts: [], skipped: [{ code: 'out_of_scope' }] });
    const turned = story().past(metrics.readOnly, [[START_MS - DAY_MS, 0]]);
    expect(turned.look(readOnly).states).toEqual({ '': 'raised:critical' });
    const raised = story();
    raised.look(filled(99));
    expect(raised.wait(MINUTE_MS).look(readOnly).states).toEqual({ '': 'raised:critical' });
  });
});

test('an override of 96 % is what is quoted, not the default', () => {
  const at92 = story(filesystem, { warning: 96 }).look(filled(92.3));
  expect(at92.states).toEqual({ '': 'clear' });
  expect(signalOf(story(filesystem, { warning: 96 }).look(filled(97)))).toMatchObject({
    severity: 'warning',
    summary: '97 % used, limit 96 % (alerts.filesystem.usage.warning); 3 GiB of 100 GiB left',
  });
});

test('a `for` that the operator wrote is kept', () => {
  const one = story(filesystem, { warning: 80, forMs: 10 * MINUTE_MS });
  const said = [85, 85, 85].map((percent) => one.wait(5 * MINUTE_MS).look(filled(percent)).states['']);
  expect(said).toEqual(['unobserved:confirming', 'unobserved:confirming', 'raised:warning']);
});

test('nothing used and nothing available proves nothing', () => {
  expect(story().look([tell('filesystem', { usedBytes: 0, availableBytes: 0 })]).states).toEqual({
    '': 'unobserved:malformed',
  });
});

test('a restart keeps it raised inside the band, and since when', () => {
  const one = story();
  one.look(filled(96));
  expect(signalOf(one.restart().wait(HOUR_MS).look(filled(91)))).toMatchObject({
    severity: 'critical',
    sinceMs: START_MS,
  });
});

test('less room never lowers the severity, on small volumes and large', () => {
  const size = fc.constantFrom(50, 399, 401, 5_000, 40_000).map((gib) => gib * GIB);
  const share = fc.double({ min: 0, max: 100, noNaN: true });
  const before = fc.constantFrom('nothing' as const, 'warning' as const, 'critical' as const);
  const perHour = fc.constantFrom(0, GIB, 20 * GIB);
  fc.assert(
    fc.property(size, share, share, before, perHour, (sizeBytes, a, b, was, slope) => {
      const rank = (percent: number): number => {
        const one = story();
        if (was !== 'nothing') one.look([tell('filesystem', space(was === 'critical' ? 99.99 : 92, sizeBytes))]);
        one.past(metrics.usedBytes, past((percent / 100) * sizeBytes, 4, slope));
        return rankOf(one.look(filled(percent, sizeBytes)));
      };
      expect(rank(Math.max(a, b))).toBeGreaterThanOrEqual(rank(Math.min(a, b)));
    }),
    { numRuns: 200 },
  );
});
