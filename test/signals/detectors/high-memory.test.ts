import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { highMemory } from '../../../signals/detectors/high-memory.ts';
import { metrics } from '../../../signals/history.ts';
import { tell } from '../../support/readings.ts';
import {
  GIB,
  MINUTE_MS,
  rankOf,
  resourceOf,
  START_MS,
  settingsOf,
  signalOf,
  startStory,
} from '../../support/signal-story.ts';

const story = (kind: 'host' | 'vm' | 'container' = 'host', settings: Record<string, unknown> = {}) =>
  startStory({
    detector: highMemory,
    resource: resourceOf(kind, { expects: ['memory'] }),
    settings: settingsOf(kind, 'memory', settings),
  });
const used = (ratio: number, more = {}) => [tell('memory', { unavailableBytes: ratio * 16 * GIB, ...more })];

describe('a mean over the whole window', () => {
  test.each([
    [0.799, 'clear'],
    [0.8, 'raised:warning'],
    [1, 'raised:warning'],
    [0, 'clear'],
  ])('of %d is %s', (ratio, state) => {
    expect(story().look(used(ratio)).states).toEqual({ '': state });
  });

  test('is told with bytes, limit, origin and what clears it', () => {
    expect(signalOf(story().look(used(0.9)))).toMatchObject({
      summary: '90 % of memory unavailable over 15 min, limit 80 % (default); 14.4 GiB of 16 GiB now',
      clearsWhen: 'the mean over 15 min is back at 75 % or less',
      level: { value: 90, unit: 'percent' },
    });
  });

  test('names the part of a ZFS cache that could be given back, which is not counted', () => {
    expect(signalOf(story().look(used(0.9, { reclaimableArcBytes: 2 * GIB }))).summary).toContain(
      '2 GiB of ZFS cache could be given back',
    );
  });
});

test('a finding stays inside the band, in both directions', () => {
  const one = story();
  const said = [0.79, 0.81, 0.76, 0.79, 0.75, 0.79].map(
    (ratio) => one.wait(15 * MINUTE_MS).look(used(ratio)).states[''],
  );
  const [clear, raised] = ['clear', 'raised:warning'];
  expect(said).toEqual([clear, raised, raised, raised, clear, clear]);
});

test('instants, as a host is read, warm up and then count', () => {
  const one = story();
  const said = [0, 1, 2, 3].map(() => one.wait(5 * MINUTE_MS).look(used(0.9, { windowMs: 0 })).states['']);
  expect(said).toEqual(['unobserved:warming_up', 'unobserved:warming_up', 'unobserved:warming_up', 'raised:warning']);
});

test('a past that a source keeps needs no warming up', () => {
  const one = story().past(
    metrics.memory,
    [14, 10, 5].map((ago) => [START_MS - ago * MINUTE_MS, 0.9, 5 * MINUTE_MS]),
  );
  expect(one.look(used(0.9, { windowMs: 0 })).states).toEqual({ '': 'raised:warning' });
});

describe('a figure that may hold a guest’s cache', () => {
  test('proves health when it is low, and nothing when it is high', () => {
    expect(story('vm').look(used(0.3, { excludesCache: false })).states).toEqual({ '': 'clear' });
    expect(story('vm').look(used(0.99, { excludesCache: false })).states).toEqual({ '': 'unobserved:not_supported' });
  });

  test('leaves open what an agent had raised', () => {
    const one = story('vm');
    one.look(used(0.9));
    one.wait(15 * MINUTE_MS);
    expect(one.look(used(0.99, { excludesCache: false })).states).toEqual({ '': 'unobserved:not_supported' });
    expect(one.memory()).toMatchObject({ severity: 'warning' });
  });
});

test('nonsense figures are unobserved', () => {
  expect(story().look(used(1.2)).states).toEqual({ '': 'unobserved:malformed' });
  expect(story().look([tell('memory', { totalBytes: 0, unavailableBytes: 0 })]).states).toEqual({
    '': 'unobserved:malformed',
  });
});

test('the operator’s limit is named, by its kind', () => {
  expect(signalOf(story('container', { warning: 60, critical: 90 }).look(used(0.92)))).toMatchObject({
    severity: 'critical',
    level: { limit: { trigger: 90, origin: { kind: 'setting', path: 'alerts.container.memory.critical' } } },
  });
});

test('a container that is off is out of scope', () => {
  const one = startStory({
    detector: highMemory,
    resource: resourceOf('container', { status: 'stopped', expects: ['memory'] }),
  });
  expect(one.look([])).toMatchObject({ verdicts: [], skipped: [{ code: 'out_of_scope' }] });
});

test('a restart keeps the time since which it is high', () => {
  const one = story();
  one.look(used(0.9));
  expect(
    signalOf(
      one
        .restart()
        .wait(60 * MINUTE_MS)
        .look(used(0.77)),
    ),
  ).toMatchObject({ sinceMs: START_MS });
});

test('more memory in use never lowers the severity', () => {
  const ratio = fc.double({ min: 0, max: 1, noNaN: true });
  fc.assert(
    fc.property(ratio, ratio, fc.boolean(), fc.boolean(), (a, b, raisedBefore, excludesCache) => {
      const rank = (value: number): number => {
        const one = story('vm', { critical: 90 });
        if (raisedBefore) one.look(used(0.95));
        return rankOf(one.wait(15 * MINUTE_MS).look(used(value, { excludesCache })));
      };
      expect(rank(Math.max(a, b))).toBeGreaterThanOrEqual(rank(Math.min(a, b)));
    }),
  );
});
