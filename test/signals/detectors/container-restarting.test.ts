import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { containerRestarting } from '../../../signals/detectors/container-restarting.ts';
import type { ContainerReading } from '../../../signals/reading.ts';
import { tell } from '../../support/readings.ts';
import {
  DAY_MS,
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

const container = resourceOf('container', { name: 'web', expects: ['container'] });
const story = (settings: Record<string, unknown> = {}) =>
  startStory({
    detector: containerRestarting,
    resource: container,
    settings: settingsOf('container', 'restarts', settings),
  });

const LONG_AGO_MS = START_MS - 90 * DAY_MS;

/** Looks now at a container that was (re)started `upMs` ago. */
const look = (one: Story, restartCount: number, upMs: number, more: Partial<ContainerReading> = {}) =>
  one.look(
    [
      tell('container', {
        restartCount,
        restartPolicy: 'always',
        createdAtMs: LONG_AGO_MS,
        startedAtMs: one.nowMs - upMs,
        ...more,
      }),
    ],
    { lastSurveyAtMs: one.nowMs - 5 * MINUTE_MS },
  );

/** Every five minutes, restarted `perLook` times in between. */
const loopFor = (one: Story, looks: number, perLook: number): readonly (string | undefined)[] => {
  const states: (string | undefined)[] = [look(one, 0, DAY_MS).states['']];
  for (let index = 1; index <= looks; index += 1) {
    one.wait(5 * MINUTE_MS);
    states.push(look(one, index * perLook, 20 * SECOND_MS).states['']);
  }
  return states;
};

describe('the first look', () => {
  test.each([
    ['at a high counter that stands still is the baseline', 5000, DAY_MS, {}, 'clear'],
    [
      'at a container that was just started for the first time',
      0,
      SECOND_MS,
      { createdAtMs: START_MS - SECOND_MS },
      'clear',
    ],
    [
      'at three restarts since it was made minutes ago',
      3,
      SECOND_MS,
      { createdAtMs: START_MS - 5 * MINUTE_MS },
      'raised:warning',
    ],
    [
      'at a loop that has filled all of its life',
      60,
      SECOND_MS,
      { createdAtMs: START_MS - HOUR_MS },
      'raised:critical',
    ],
    ['at one that waits for its next restart', 57, 0, { state: 'restarting' as const }, 'unobserved:confirming'],
    ['at one that waits for its first restarts', 2, 0, { state: 'restarting' as const }, 'clear'],
  ])('%s', (_, count, upMs, more, state) => {
    expect(look(story(), count, upMs, more).states).toEqual({ '': state });
  });

  test('at one that waits, and waits again a minute later, is a loop', () => {
    const one = story();
    const { verdict } = look(one, 57, 0, { state: 'restarting' });
    expect(verdict).toMatchObject({ retryAtMs: START_MS + MINUTE_MS });
    expect(look(one.wait(MINUTE_MS), 57, 0, { state: 'restarting' }).states).toEqual({ '': 'raised:warning' });
  });
});

describe('restarts', () => {
  test('three in ten minutes raise', () => {
    expect(loopFor(story(), 2, 2)).toEqual(['clear', 'clear', 'raised:warning']);
    expect(loopFor(story(), 1, 3)).toEqual(['clear', 'raised:warning']);
  });

  test('one in ten minutes never raises', () => {
    const one = story();
    for (let count = 0; count < 20; count += 1) {
      expect(look(one, count, SECOND_MS).states).toEqual({ '': 'clear' });
      one.wait(10 * MINUTE_MS);
    }
  });

  test('are critical when the loop has lasted for half an hour', () => {
    expect(loopFor(story(), 7, 4)).toEqual([
      'clear',
      ...Array.from({ length: 5 }, () => 'raised:warning'),
      'raised:critical',
      'raised:critical',
    ]);
  });

  test('that came at any time while nobody looked are no loop', () => {
    const one = story();
    look(one, 0, DAY_MS);
    one.wait(2 * DAY_MS);
    const later = one.look(
      [tell('container', { restartCount: 9, createdAtMs: LONG_AGO_MS, startedAtMs: one.nowMs - MINUTE_MS })],
      { lastSurveyAtMs: START_MS },
    );
    expect(later.states).toEqual({ '': 'clear' });
  });

  test('are told with count, limit, and how long the loop has lasted', () => {
    const one = story({ warning: 5 });
    loopFor(one, 3, 6);
    expect(signalOf(look(one.wait(5 * MINUTE_MS), 24, SECOND_MS, { exitCode: 1, state: 'restarting' }))).toMatchObject({
      summary:
        'restarted 12 times in 10 min, limit 5 (alerts.container.restarts.warning); 24 times in all, the loop has lasted 20 min',
      clearsWhen: 'it was not restarted for 30 min',
      level: { value: 12, unit: 'count' },
      details: { restartCount: 24, exitCode: 1 },
    });
  });
});

describe('a loop', () => {
  const looping = () => {
    const one = story();
    loopFor(one, 8, 4);
    return one;
  };

  test('that has calmed down clears after half an hour, and not before (field case 17)', () => {
    const one = looping();
    one.wait(29 * MINUTE_MS);
    const quiet = look(one, 32, 29 * MINUTE_MS);
    expect(quiet.states).toEqual({ '': 'raised:critical' });
    expect(signalOf(quiet).summary).toContain('has been quiet for 29 min');
    expect(look(one.restart().wait(MINUTE_MS), 32, 30 * MINUTE_MS).states).toEqual({ '': 'clear' });
  });

  test('that has become slow is held, and is one finding', () => {
    const one = looping();
    for (let count = 33; count < 43; count += 1) {
      one.wait(20 * MINUTE_MS);
      expect(look(one, count, SECOND_MS).states).toEqual({ '': 'raised:critical' });
    }
  });

  test('whose container is made anew is watched for half an hour too, and is no crash (field case 17)', () => {
    const one = looping();
    const anew = { instanceId: 'new', createdAtMs: one.nowMs, restartCount: 0 };
    expect(look(one.wait(MINUTE_MS), 0, MINUTE_MS, anew).states).toEqual({ '': 'raised:critical' });
    expect(look(one.wait(29 * MINUTE_MS), 0, 30 * MINUTE_MS, anew).states).toEqual({ '': 'clear' });
  });

  test('that was stopped clears after half an hour', () => {
    const one = looping();
    const stopped = { state: 'exited' as const, finishedAtMs: one.nowMs, exitCode: 137 };
    expect(look(one.wait(29 * MINUTE_MS), 32, HOUR_MS, stopped).states).toEqual({ '': 'raised:critical' });
    expect(look(one.wait(MINUTE_MS), 32, HOUR_MS, stopped).states).toEqual({ '': 'clear' });
  });

  test('goes on through a restart of patrold with one beginning', () => {
    const one = story();
    loopFor(one, 2, 4);
    const before = one.memory()?.sinceMs;
    look(one.restart().wait(5 * MINUTE_MS), 12, SECOND_MS);
    expect(one.memory()?.sinceMs).toBe(before);
  });
});

test('a container that is made anew once is not judged by the counter of the old one (field case 17)', () => {
  const one = story();
  look(one, 40, DAY_MS);
  const anew = { instanceId: 'new', createdAtMs: one.nowMs };
  expect(look(one.wait(MINUTE_MS), 0, 30 * SECOND_MS, anew).states).toEqual({ '': 'clear' });
});

test('the length of a loop can be left to be a warning', () => {
  const settings = settingsOf('container', 'restartLoop', { off: true });
  const one = startStory({ detector: containerRestarting, resource: container, settings });
  expect(loopFor(one, 9, 4).at(-1)).toBe('raised:warning');
});

test('more restarts never lower the severity', () => {
  fc.assert(
    fc.property(fc.array(fc.nat({ max: 4 }), { minLength: 1, maxLength: 9 }), fc.nat({ max: 4 }), (steps, more) => {
      const rank = (extra: number): number => {
        const one = story();
        let count = 0;
        for (const step of steps) {
          count += step;
          look(one, count, step > 0 ? SECOND_MS : HOUR_MS);
          one.wait(5 * MINUTE_MS);
        }
        return rankOf(look(one, count + extra, extra > 0 ? SECOND_MS : 6 * MINUTE_MS));
      };
      expect(rank(more + 1)).toBeGreaterThanOrEqual(rank(more));
    }),
    { numRuns: 200 },
  );
});
