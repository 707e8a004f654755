import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { snapshotOld } from '../../../signals/detectors/snapshot-old.ts';
import { tell } from '../../support/readings.ts';
import { DAY_MS, rankOf, resourceOf, START_MS, settingsOf, signalOf, startStory } from '../../support/signal-story.ts';

const guest = resourceOf('vm', { name: 'web', expects: ['snapshots'] });
const story = (settings: Record<string, unknown> = {}) =>
  startStory({ detector: snapshotOld, resource: guest, settings: settingsOf('vm', 'snapshotAge', settings) });
const snapshots = (...daysOld: readonly number[]) => [
  tell('snapshots', {
    snapshots: daysOld.map((days, index) => ({ name: `before-${index + 1}`, createdAtMs: START_MS - days * DAY_MS })),
  }),
];

describe('snapshots', () => {
  test.each([
    ['none', snapshots(), 'clear'],
    ['a young one', snapshots(29.9), 'clear'],
    ['an old one', snapshots(30), 'raised:warning'],
    ['a young one beside an old one', snapshots(2, 100), 'raised:warning'],
    ['one from the future, by a clock that is off', snapshots(-1), 'clear'],
  ])('%s', (_, readings, expected) => {
    expect(story().look(readings).states).toEqual({ '': expected });
  });

  test('the oldest is named, and how many are as old', () => {
    expect(signalOf(story().look(snapshots(31, 100, 2, 45)))).toMatchObject({
      summary: 'snapshot before-2 of web is 100 d old, limit 30 d (default); 2 more as old: before-4, before-1',
      level: { value: 100, unit: 'days' },
      sinceMs: START_MS - 70 * DAY_MS,
    });
  });

  test('an own limit holds, and none can be wanted', () => {
    expect(story({ warning: 200 }).look(snapshots(100)).states).toEqual({ '': 'clear' });
    expect(story({ off: true }).look(snapshots(100)).states).toEqual({});
  });

  test('it is over when the old one is gone', () => {
    const one = story();
    one.look(snapshots(100, 2));
    expect(one.wait(1).look(snapshots(2)).states).toEqual({ '': 'clear' });
  });
});

test('an older snapshot is never a lesser problem', () => {
  const days = fc.double({ min: 0, max: 1_000, noNaN: true });
  fc.assert(
    fc.property(days, days, (a, b) => {
      const [younger, older] = [Math.min(a, b), Math.max(a, b)];
      expect(rankOf(story().look(snapshots(older)))).toBeGreaterThanOrEqual(rankOf(story().look(snapshots(younger))));
    }),
  );
});
