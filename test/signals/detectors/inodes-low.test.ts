import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { inodesLow } from '../../../signals/detectors/inodes-low.ts';
import { metrics } from '../../../signals/history.ts';
import { tell } from '../../support/readings.ts';
import {
  DAY_MS,
  MINUTE_MS,
  rankOf,
  resourceOf,
  START_MS,
  settingsOf,
  signalOf,
  startStory,
} from '../../support/signal-story.ts';

const filesystem = resourceOf('filesystem', { expects: ['filesystem'] });
const story = (settings: Record<string, unknown> = {}) =>
  startStory({ detector: inodesLow, resource: filesystem, settings: settingsOf('filesystem', 'inodesFree', settings) });
const free = (percent: number, more = {}) => [
  tell('filesystem', { inodesTotal: 1_000_000, inodesFree: Math.round(percent * 10_000), ...more }),
];

describe('inodes', () => {
  test.each([
    [100, 'clear'],
    [5.01, 'clear'],
    [5, 'raised:warning'],
    [3.01, 'raised:warning'],
    [3, 'raised:critical'],
    [0, 'raised:critical'],
  ])('of which %d %% are free: %s', (percent, state) => {
    expect(story().look(free(percent)).states).toEqual({ '': state });
  });

  test('are told with their number, limit and what clears it', () => {
    expect(signalOf(story().look(free(4.2)))).toMatchObject({
      key: 'inodes_low',
      summary: '4.2 % of inodes free, limit 5 % (default); 42000 of 1000000 left',
      clearsWhen: 'the free share is back at 7 % or more',
      level: { value: 4.2, unit: 'percent' },
    });
  });

  test('stay raised inside the band, in both directions', () => {
    const one = story();
    const said = [5.1, 4.9, 6.9, 2.9, 4.9, 5, 6.9, 7, 6.9].map(
      (percent) => one.wait(MINUTE_MS).look(free(percent)).states[''],
    );
    const [clear, warning, critical] = ['clear', 'raised:warning', 'raised:critical'];
    expect(said).toEqual([clear, warning, warning, critical, critical, warning, warning, clear, clear]);
  });
});

describe('a filesystem', () => {
  test.each([
    ['that tells no number of inodes', { inodesTotal: null, inodesFree: null }],
    ['that has none of its own (btrfs)', { inodesTotal: 0, inodesFree: 0 }],
    ['that has never been writable', { superblockReadOnly: true }],
  ])('%s is out of scope', (_, more) => {
    expect(story().look(free(0, more))).toMatchObject({ verdicts: [], skipped: [{ code: 'out_of_scope' }] });
  });

  test('whose free inodes are not told is unobserved', () => {
    expect(story().look(free(0, { inodesFree: null })).states).toEqual({ '': 'unobserved:not_supported' });
  });

  test('with more free inodes than there are is unobserved', () => {
    expect(story().look(free(101)).states).toEqual({ '': 'unobserved:malformed' });
  });

  test('that turned read-only is still judged', () => {
    const one = story().past(metrics.readOnly, [[START_MS - DAY_MS, 0]]);
    expect(one.look(free(0, { superblockReadOnly: true })).states).toEqual({ '': 'raised:critical' });
  });

  test('that could not be read is unobserved, and what was raised stays', () => {
    const one = story();
    one.look(free(1));
    const gaps = [{ sourceId: 'host', reads: ['filesystem'], code: 'timed_out', reason: 'hangs' }] as const;
    expect(one.wait(MINUTE_MS).look([], { gaps }).states).toEqual({ '': 'unobserved:timed_out' });
    expect(one.restart().memory()).toMatchObject({ severity: 'critical', sinceMs: START_MS });
  });
});

test('the operator’s limit is taken as written', () => {
  expect(story({ warning: 10 }).look(free(8)).states).toEqual({ '': 'raised:warning' });
  expect(story({ off: true }).look(free(0))).toMatchObject({ verdicts: [], skipped: [{ code: 'switched_off' }] });
});

test('fewer free inodes never lower the severity', () => {
  const percent = fc.double({ min: 0, max: 10, noNaN: true });
  fc.assert(
    fc.property(percent, percent, fc.boolean(), (a, b, raisedBefore) => {
      const rank = (value: number): number => {
        const one = story();
        if (raisedBefore) one.look(free(1));
        return rankOf(one.look(free(value)));
      };
      expect(rank(Math.min(a, b))).toBeGreaterThanOrEqual(rank(Math.max(a, b)));
    }),
  );
});
