import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { raidDegraded } from '../../../signals/detectors/raid-degraded.ts';
import { tell } from '../../support/readings.ts';
import {
  HOUR_MS,
  MINUTE_MS,
  rankOf,
  resourceOf,
  START_MS,
  settingsOf,
  signalOf,
  startStory,
} from '../../support/signal-story.ts';

const array = resourceOf('array', { expects: ['array'] });
const story = (settings: Record<string, unknown> = {}) =>
  startStory({ detector: raidDegraded, resource: array, settings: settingsOf('array', 'degraded', settings) });
const raid = (activeDevices: number, more = {}) => [
  tell('array', { level: 'raid5', requiredDevices: 3, activeDevices, ...more }),
];
const RECOVERY = { action: 'recovery', doneRatio: 0.423 } as const;

describe('an array of three', () => {
  test.each([
    ['all active', raid(3), 'clear'],
    ['one missing', raid(2), 'raised:critical'],
    ['none active', raid(0), 'raised:critical'],
    ['a spare more than needed', raid(4), 'clear'],
    ['one failed, and a spare in its place', raid(3, { failedMembers: ['sdc1'] }), 'raised:warning'],
    ['one failed and missing', raid(2, { failedMembers: ['sdc1'] }), 'raised:critical'],
    ['one missing while it rebuilds', raid(2, { rebuild: RECOVERY }), 'raised:critical'],
    ['a check running', raid(3, { rebuild: { action: 'check', doneRatio: 0.1 } }), 'clear'],
  ])('%s', (_, readings, state) => {
    expect(story().look(readings).states).toEqual({ '': state });
  });

  test('says how many devices work, which failed, and that it rebuilds', () => {
    expect(signalOf(story().look(raid(2, { failedMembers: ['sdc1'], rebuild: RECOVERY })))).toMatchObject({
      key: 'raid_degraded',
      summary: 'raid5: 2 of 3 devices active; failed: sdc1; recovery running, 42.3 % done',
      clearsWhen: 'all 3 devices are active and no member is marked as failed',
      level: { value: 2, unit: 'count', direction: 'below' },
    });
  });

  test('names a few of many failed members', () => {
    const failedMembers = ['sda', 'sdb', 'sdc', 'sdd', 'sde', 'sdf'];
    expect(signalOf(story().look(raid(0, { failedMembers }))).summary).toContain('sda, sdb, sdc, sdd and 2 more');
  });
});

test('it clears when the rebuild is done, and not before', () => {
  const one = story();
  const said = [raid(2), raid(2, { rebuild: RECOVERY }), raid(3)].map(
    (readings) => one.wait(HOUR_MS).look(readings).states[''],
  );
  expect(said).toEqual(['raised:critical', 'raised:critical', 'clear']);
});

test('a restart keeps since when', () => {
  const one = story();
  one.look(raid(2));
  expect(signalOf(one.restart().wait(HOUR_MS).look(raid(2)))).toMatchObject({ sinceMs: START_MS });
});

test('an array that could not be read stays as it was', () => {
  const one = story();
  one.look(raid(2));
  const gaps = [{ sourceId: 'host', reads: ['array'], code: 'failed', reason: 'why' }] as const;
  expect(one.wait(MINUTE_MS).look([], { gaps }).states).toEqual({ '': 'unobserved:failed' });
  expect(one.memory()).toMatchObject({ severity: 'critical' });
});

test('the operator may switch it off', () => {
  expect(story({ off: true }).look(raid(0))).toMatchObject({ verdicts: [], skipped: [{ code: 'switched_off' }] });
});

test('fewer active devices, or more failed ones, never lower the severity', () => {
  fc.assert(
    fc.property(fc.nat(4), fc.nat(4), fc.nat(3), (a, b, failed) => {
      const rank = (active: number, names: number) =>
        rankOf(story().look(raid(active, { failedMembers: Array.from({ length: names }, (_, i) => `sd${i}`) })));
      expect(rank(Math.min(a, b), failed)).toBeGreaterThanOrEqual(rank(Math.max(a, b), failed));
      expect(rank(a, failed + 1)).toBeGreaterThanOrEqual(rank(a, failed));
    }),
  );
});
