import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { containerMemory, NEWS_MS, WELL_FOR_MS } from '../../../signals/detectors/container-memory.ts';
import type { ContainerReading } from '../../../signals/reading.ts';
import { tell } from '../../support/readings.ts';
import {
  DAY_MS,
  GIB,
  HOUR_MS,
  MINUTE_MS,
  rankOf,
  resourceOf,
  SECOND_MS,
  START_MS,
  type Story,
  settingsOf,
  signalOf,
  startStory,
} from '../../support/signal-story.ts';

const container = resourceOf('container', { name: 'web', expects: ['container', 'container_memory'] });
const story = (settings: Record<string, unknown> = {}) =>
  startStory({
    detector: containerMemory,
    resource: container,
    settings: settingsOf('container', 'memoryOfLimit', settings),
  });

const used = (percent: number, windowMs = 5 * MINUTE_MS) =>
  tell('container_memory', { workingSetBytes: (percent / 100) * 4 * GIB, limitBytes: 4 * GIB, windowMs });
const up = (more: Partial<ContainerReading> = {}) => tell('container', { startedAtMs: START_MS - DAY_MS, ...more });
const killed = (one: Story, more: Partial<ContainerReading> = {}) =>
  tell('container', { state: 'exited', exitCode: 137, oomKilled: true, finishedAtMs: one.nowMs, ...more });

describe('use of the limit', () => {
  test.each([
    [89.9, 'clear'],
    [90, 'raised:warning'],
    [97.9, 'raised:warning'],
    [98, 'raised:critical'],
    [100, 'raised:critical'],
  ])('of %d %% over five minutes', (percent, state) => {
    expect(story().look([used(percent), up()]).states).toEqual({ '': state });
  });

  test('is told with bytes, limit and origin', () => {
    expect(signalOf(story({ warning: 50 }).look([used(60)]))).toMatchObject({
      summary:
        '60 % of its memory limit in use over 5 min, limit 50 % (alerts.container.memoryOfLimit.warning); 2.4 GiB of 4 GiB now, without cache that could be given back',
      clearsWhen: 'the mean over 5 min is back at 45 % or less',
      level: { value: 60, unit: 'percent' },
    });
  });

  test('that was measured at an instant warms up first', () => {
    const one = story();
    expect(one.look([used(95, 0), up()]).states).toEqual({ '': 'unobserved:warming_up' });
    one.wait(5 * MINUTE_MS);
    expect(one.look([used(95, 0), up()]).states).toEqual({ '': 'raised:warning' });
  });

  test('inside the band keeps what it was', () => {
    const one = story();
    expect(one.look([used(87), up()]).states).toEqual({ '': 'clear' });
    one.look([used(99), up()]);
    expect(one.look([used(94), up()]).states).toEqual({ '': 'raised:critical' });
    expect(one.look([used(92), up()]).states).toEqual({ '': 'raised:warning' });
    expect(one.look([used(86), up()]).states).toEqual({ '': 'raised:warning' });
    expect(one.look([used(85), up()]).states).toEqual({ '': 'clear' });
  });

  test('of a container without a limit is not judged', () => {
    const look = story().look([tell('container_memory', { limitBytes: null })]);
    expect(look).toMatchObject({ verdicts: [], skipped: [{ code: 'out_of_scope' }] });
  });

  test('that could not be read is unobserved', () => {
    expect(story().look([up()]).states).toEqual({ '': 'unobserved:no_reading' });
    const gaps = [
      { sourceId: 'host', reads: ['container_memory' as const], code: 'timed_out' as const, reason: 'slow' },
    ];
    expect(story().look([], { gaps }).states).toEqual({ '': 'unobserved:timed_out' });
  });

  test('of a container that was stopped is over', () => {
    const one = story();
    one.look([used(95), up()]);
    expect(one.wait(MINUTE_MS).look([up({ state: 'exited', exitCode: 0 })]).states).toEqual({ '': 'clear' });
  });
});

describe('a kill', () => {
  test('is a warning at once, from when it happened', () => {
    const one = story();
    one.look([used(50), up()]);
    one.wait(5 * MINUTE_MS);
    expect(signalOf(one.look([killed(one, { finishedAtMs: one.nowMs - MINUTE_MS })]))).toMatchObject({
      severity: 'warning',
      summary: 'was killed at its memory limit 60 s ago',
      sinceMs: START_MS + 4 * MINUTE_MS,
    });
  });

  test('stays until the container has run well for half an hour, through a restart of patrold', () => {
    const one = story();
    one.look([killed(one)]);
    const startedAtMs = one.nowMs + MINUTE_MS;
    const again = up({ startedAtMs });
    one.wait(WELL_FOR_MS + MINUTE_MS - SECOND_MS);
    expect(one.restart().look([used(40), again]).states).toEqual({ '': 'raised:warning' });
    expect(one.wait(SECOND_MS).look([used(40), again]).states).toEqual({ '': 'clear' });
  });

  test('that comes again and again is one finding', () => {
    const one = story();
    one.look([killed(one)]);
    for (let round = 0; round < 5; round += 1) {
      const startedAtMs = one.nowMs;
      expect(one.wait(10 * MINUTE_MS).look([used(70), up({ startedAtMs })]).states).toEqual({ '': 'raised:warning' });
      expect(one.wait(10 * MINUTE_MS).look([killed(one)]).states).toEqual({ '': 'raised:warning' });
    }
  });

  test('does not hide that it is at its limit again', () => {
    const one = story();
    one.look([killed(one)]);
    const startedAtMs = one.nowMs;
    const look = one.wait(10 * MINUTE_MS).look([used(99), up({ startedAtMs })]);
    expect(look.states).toEqual({ '': 'raised:critical' });
    expect(signalOf(look).summary).toContain('has run for 10 min again');
  });

  test.each([
    ['today', HOUR_MS, { '': 'raised:warning' }],
    ['long before the first look', NEWS_MS, {}],
  ])('%s', (_, agoMs, states) => {
    const one = story();
    expect(one.look([killed(one, { finishedAtMs: START_MS - agoMs })]).states).toEqual(states);
  });
});

test('two sources are judged each for itself, and the worse one counts', () => {
  const one = story();
  const elsewhere = { ...used(99), stamp: { sourceId: 'metrics' } };
  expect(one.look([used(50), up(), elsewhere]).states).toEqual({ '': 'raised:critical' });
});

test('more use never lowers the severity', () => {
  fc.assert(
    fc.property(
      fc.float({ min: 0, max: 110, noNaN: true }),
      fc.float({ min: 0, max: 20, noNaN: true }),
      fc.boolean(),
      (percent, more, was) => {
        const rank = (value: number): number => {
          const one = story();
          if (was) one.look([used(99), up()]);
          return rankOf(one.look([used(value), up()]));
        };
        expect(rank(percent + more)).toBeGreaterThanOrEqual(rank(percent));
      },
    ),
  );
});
