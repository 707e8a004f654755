import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { diskFilling } from '../../../signals/detectors/disk-filling.ts';
import { metrics } from '../../../signals/history.ts';
import { tell } from '../../support/readings.ts';
import {
  GIB,
  HOUR_MS,
  rankOf,
  resourceOf,
  START_MS,
  settingsOf,
  signalOf,
  startStory,
} from '../../support/signal-story.ts';

const filesystem = resourceOf('filesystem', { expects: ['filesystem'] });
const story = (settings: Record<string, unknown> = {}) =>
  startStory({
    detector: diskFilling,
    resource: filesystem,
    settings: settingsOf('filesystem', 'timeToFull', settings),
  });

const volume = (usedGib: number, sizeGib = 100, availableGib = sizeGib - usedGib) =>
  tell('filesystem', { sizeBytes: sizeGib * GIB, usedBytes: usedGib * GIB, availableBytes: availableGib * GIB });

/** Hourly samples of the time before, by how many hours ago. */
const hourly = (hours: number, gibAt: (hoursAgo: number) => number): (readonly [number, number])[] =>
  Array.from(
    { length: hours },
    (_, index) => [START_MS - (hours - index) * HOUR_MS, gibAt(hours - index) * GIB] as const,
  );

const growing = (usedGib: number, hours: number, perHour: number) =>
  story().past(
    metrics.usedBytes,
    hourly(hours, (ago) => usedGib - ago * perHour),
  );

describe('a volume of 100 GiB that grows evenly', () => {
  test.each([
    ['30 GiB left at 1 GiB an hour', 70, 25, 1, 'raised:warning'],
    ['19 GiB left at 1 GiB an hour, less than a day and less than a fifth free', 81, 25, 1, 'raised:critical'],
    ['30 GiB left at 2 GiB an hour: less than a day, but more than a fifth free', 70, 25, 2, 'raised:warning'],
    ['30 GiB left at 0.2 GiB an hour: within a week', 70, 84, 0.2, 'raised:warning'],
    ['30 GiB left at 0.1 GiB an hour: in 12 days', 70, 336, 0.1, 'clear'],
    ['50 GiB left at 10 GiB an hour: not even 60 % used', 50, 25, 10, 'clear'],
    ['that shrinks', 90, 48, -1, 'clear'],
    ['that stands still', 90, 48, 0, 'clear'],
  ] as const)('%s', (_, used, hours, perHour, state) => {
    expect(growing(used, hours, perHour).look([volume(used)]).states).toEqual({ '': state });
  });

  test('is told with its slope, how long it was seen, and what is left', () => {
    expect(signalOf(growing(81, 30, 0.5).look([volume(81)]))).toMatchObject({
      key: 'disk_filling',
      severity: 'warning',
      summary:
        'full in 38 h at 12 GiB a day over the last 24 h, limit 7 d (default); 81 % used, 19 GiB of 100 GiB left',
      clearsWhen: 'the time until it is full is back at 8 d or more',
      level: { value: 38, unit: 'hours', limit: { trigger: 168, clear: 192 } },
    });
  });
});

describe('a forecast', () => {
  test('needs a day of samples, and says how much of it there is', () => {
    const young = growing(80, 20, 1).look([volume(80)]);
    expect(young.states).toEqual({ '': 'unobserved:warming_up' });
    expect(young.verdict).toMatchObject({
      reason: '20 h of 24 h without a gap or a resize observed',
      retryAtMs: START_MS + 4 * HOUR_MS,
    });
  });

  test('reaches at most twice as far ahead as it looked back', () => {
    expect(growing(70, 24, 30 / 47).look([volume(70)]).states).toEqual({ '': 'raised:warning' });
    expect(growing(70, 24, 30 / 49).look([volume(70)]).states).toEqual({ '': 'clear' });
  });

  test('does not jump over a gap in the data', () => {
    const gap = hourly(40, (ago) => (ago > 20 ? 10 : 80)).filter(
      ([atMs]) => START_MS - atMs > 28 * HOUR_MS || START_MS - atMs < 20 * HOUR_MS,
    );
    expect(
      story()
        .past(metrics.usedBytes, gap)
        .look([volume(80)]).states,
    ).toEqual({ '': 'unobserved:warming_up' });
  });

  test('of the first look after a long silence is none', () => {
    const old = hourly(72, (ago) => 80 - ago).filter(([atMs]) => START_MS - atMs > 48 * HOUR_MS);
    expect(
      story()
        .past(metrics.usedBytes, old)
        .look([volume(80)]).states,
    ).toEqual({ '': 'unobserved:warming_up' });
    expect(story().look([volume(99)]).states).toEqual({ '': 'unobserved:warming_up' });
  });

  test('does not look back past a resize', () => {
    const resized = growing(80, 60, 0.4).past(metrics.sizeBytes, [
      [START_MS - 60 * HOUR_MS, 90 * GIB],
      [START_MS - 10 * HOUR_MS, 100 * GIB],
    ]);
    expect(resized.look([volume(80)]).states).toEqual({ '': 'unobserved:warming_up' });
    const longAgo = growing(80, 60, 0.4).past(metrics.sizeBytes, [
      [START_MS - 60 * HOUR_MS, 90 * GIB],
      [START_MS - 59 * HOUR_MS, 100 * GIB],
    ]);
    expect(longAgo.look([volume(80)]).states).toEqual({ '': 'raised:warning' });
    const justNow = growing(80, 60, 0.4).past(metrics.sizeBytes, [[START_MS - 60 * HOUR_MS, 90 * GIB]]);
    expect(justNow.look([volume(80)]).states).toEqual({ '': 'unobserved:warming_up' });
  });

  test('is not made of one jump', () => {
    const jump = story().past(
      metrics.usedBytes,
      hourly(48, (ago) => (ago > 12 ? 60 : 85)),
    );
    expect(jump.look([volume(85)]).states).toEqual({ '': 'clear' });
  });

  test('is made of a sudden filling after weeks of standing still', () => {
    const sudden = story().past(
      metrics.usedBytes,
      hourly(336, (ago) => (ago > 24 ? 62 : 86 - ago)),
    );
    expect(sudden.look([volume(86)]).states).toEqual({ '': 'raised:critical' });
  });

  test('is made of a step every night', () => {
    const nightly = story().past(
      metrics.usedBytes,
      hourly(336, (ago) => 90 - 2 * Math.ceil(ago / 24)),
    );
    expect(nightly.look([volume(90)]).states).toEqual({ '': 'raised:warning' });
  });
});

test('a finding holds around its limits, in both directions', () => {
  const at = (left: number, one: ReturnType<typeof story>) => one.look([volume(70, 100, left)]).states[''];
  // One GiB an hour: hours left are GiB left; 100 hours were seen.
  const fresh = (): ReturnType<typeof story> => growing(70, 100, 0.2);
  expect(at(0.2 * 167, fresh())).toBe('raised:warning');
  const held = fresh();
  at(0.2 * 160, held);
  expect(at(0.2 * 185, held)).toBe('raised:warning');
  expect(at(0.2 * 195, held)).toBe('clear');
  expect(at(0.2 * 185, held)).toBe('clear');
});

test('critical holds until there is more room, and falls back to a warning', () => {
  const one = growing(81, 60, 1);
  expect(one.look([volume(81)]).states).toEqual({ '': 'raised:critical' });
  expect(one.look([volume(81, 103, 22)]).states).toEqual({ '': 'raised:critical' });
  expect(one.look([volume(81, 108, 27.1)]).states['']).not.toBe('raised:critical');
});

test('where it was raised, use has to fall below 55 % before the room alone clears it', () => {
  const one = growing(70, 60, 1);
  one.look([volume(70)]);
  expect(one.look([volume(70, 124, 54)]).states['']).not.toBe('clear');
});

test('a restart keeps it raised', () => {
  const one = growing(81, 60, 0.5);
  one.look([volume(81)]);
  expect(
    signalOf(
      one
        .restart()
        .wait(60_000)
        .look([volume(81)]),
    ),
  ).toMatchObject({ sinceMs: START_MS });
});

test('what has never been writable does not fill up', () => {
  const readOnly = { ...volume(99), superblockReadOnly: true };
  expect(growing(99, 60, 0.5).look([readOnly])).toMatchObject({ verdicts: [], skipped: [{ code: 'out_of_scope' }] });
});

test('the operator may ask for more time, and switch it off', () => {
  const slow = story({ warning: 24 * 14 }).past(
    metrics.usedBytes,
    hourly(360, (ago) => 70 - ago * 0.1),
  );
  expect(signalOf(slow.look([volume(70)])).summary).toContain('limit 14 d (alerts.filesystem.timeToFull.warning)');
  expect(story({ off: true }).look([volume(99)])).toMatchObject({ verdicts: [], skipped: [{ code: 'switched_off' }] });
});

test('less room never lowers the severity', () => {
  const left = fc.double({ min: 0, max: 39, noNaN: true });
  fc.assert(
    fc.property(left, left, fc.constantFrom(0.05, 0.3, 1, 3), fc.boolean(), (a, b, perHour, raisedBefore) => {
      const rank = (availableGib: number): number => {
        const one = growing(70, 100, perHour);
        if (raisedBefore) one.look([volume(70, 71, 1)]);
        return rankOf(one.look([volume(70, 70 + availableGib, availableGib)]));
      };
      const [less, more] = [Math.min(a, b), Math.max(a, b)];
      // A change of size by more than a hundredth is a resize, which starts the look back anew.
      if (raisedBefore) return;
      expect(rank(less)).toBeGreaterThanOrEqual(rank(more));
    }),
    { numRuns: 200 },
  );
});

test('whatever the samples are, a forecast is a positive time or nothing', () => {
  const sample = fc.tuple(fc.integer({ min: 0, max: 14 * 24 }), fc.double({ min: 0, max: 100, noNaN: true }));
  fc.assert(
    fc.property(fc.array(sample, { maxLength: 60 }), fc.double({ min: 60, max: 100, noNaN: true }), (samples, used) => {
      const ordered = samples
        .toSorted(([a], [b]) => b - a)
        .map(([ago, gib]) => [START_MS - ago * HOUR_MS, gib * GIB] as const);
      const { verdicts } = story()
        .past(metrics.usedBytes, ordered)
        .look([volume(used)]);
      for (const verdict of verdicts)
        if (verdict.state === 'raised') expect(verdict.signal.level?.value).toBeGreaterThanOrEqual(0);
    }),
    { numRuns: 300 },
  );
});
