import { describe, expect, test } from 'vitest';
import { containerExited } from '../../../signals/detectors/container-exited.ts';
import type { ContainerReading } from '../../../signals/reading.ts';
import { tell } from '../../support/readings.ts';
import {
  DAY_MS,
  HOUR_MS,
  MINUTE_MS,
  resourceOf,
  SECOND_MS,
  START_MS,
  type Story,
  signalOf,
  startStory,
} from '../../support/signal-story.ts';

const container = resourceOf('container', { name: 'job', expects: ['container'] });
const story = () => startStory({ detector: containerExited, resource: container });

const running = (more: Partial<ContainerReading> = {}) => [
  tell('container', { startedAtMs: START_MS - DAY_MS, ...more }),
];

/** It ended now, while the engine's events were followed. */
const exited = (one: Story, exitCode: number, more: Partial<ContainerReading> = {}) => [
  tell('container', {
    state: 'exited',
    exitCode,
    startedAtMs: START_MS - DAY_MS,
    finishedAtMs: one.nowMs,
    stopsKnownSinceMs: START_MS - DAY_MS,
    ...more,
  }),
];

const seenRunning = (): Story => {
  const one = story();
  expect(one.look(running()).states).toEqual({ '': 'clear' });
  return one.wait(5 * MINUTE_MS);
};

describe('without a restart policy, seen running', () => {
  test.each<[string, number, Partial<ContainerReading>, string]>([
    ['ended well', 0, {}, 'clear'],
    ['ended with an error', 1, {}, 'raised:warning'],
    ['lost with its engine', 255, {}, 'raised:warning'],
    ['interrupted', 130, {}, 'clear'],
    ['killed', 137, {}, 'clear'],
    ['terminated', 143, {}, 'clear'],
    ['killed for lack of memory', 137, { oomKilled: true }, 'raised:warning'],
    ['stopped, and ended with an error of its own', 1, { stopRequestedAtMs: START_MS }, 'clear'],
    ['stopped before it was last started', 1, { stopRequestedAtMs: START_MS - 2 * DAY_MS }, 'raised:warning'],
    ['ended while nobody followed the events', 1, { stopsKnownSinceMs: null }, 'unobserved:cut_short'],
    ['ended before the events that are known', 1, { stopsKnownSinceMs: START_MS + HOUR_MS }, 'unobserved:cut_short'],
    ['dead', 1, { state: 'dead' }, 'raised:warning'],
    ['being removed', 1, { state: 'removing' }, 'clear'],
  ])('%s', (_, exitCode, more, state) => {
    const one = seenRunning();
    expect(one.look(exited(one, exitCode, more)).states).toEqual({ '': state });
  });
});

describe('with a restart policy', () => {
  test.each<[string, Partial<ContainerReading>, string]>([
    ['always, down because somebody stopped it', { restartPolicy: 'always' }, 'clear'],
    ['unless-stopped, likewise', { restartPolicy: 'unless-stopped' }, 'clear'],
    ['on-failure without an end to the retries', { restartPolicy: 'on-failure', restartCount: 9 }, 'clear'],
    ['on-failure with retries left', { restartPolicy: 'on-failure', maxRetries: 5, restartCount: 4 }, 'clear'],
    [
      'on-failure with retries exhausted',
      { restartPolicy: 'on-failure', maxRetries: 5, restartCount: 5 },
      'raised:warning',
    ],
    [
      'on-failure exhausted, then stopped',
      { restartPolicy: 'on-failure', maxRetries: 5, restartCount: 5, stopRequestedAtMs: START_MS },
      'clear',
    ],
  ])('%s', (_, more, state) => {
    const one = seenRunning();
    expect(one.look(exited(one, 1, more)).states).toEqual({ '': state });
  });
});

describe('the first look', () => {
  test('at one that is down already is the baseline (field case 9)', () => {
    const one = story();
    expect(one.look(exited(one, 1)).states).toEqual({ '': 'clear' });
    expect(one.wait(HOUR_MS).look(exited(one, 1, { finishedAtMs: START_MS })).states).toEqual({ '': 'clear' });
  });

  test('at one that could not be started is a fault, whatever its policy', () => {
    const readings = [
      tell('container', {
        state: 'created',
        exitCode: 127,
        startError: 'exec: "ap": not found',
        startedAtMs: null,
        finishedAtMs: null,
      }),
    ];
    expect(signalOf(story().look(readings)).summary).toBe('could not be started: exec: "ap": not found');
  });

  test('at one that was never started is none', () => {
    expect(story().look([tell('container', { state: 'created', startedAtMs: null })]).states).toEqual({ '': 'clear' });
  });

  test('at one that the engine has given up on is a fault', () => {
    const one = story();
    const look = one.look(
      exited(one, 2, { restartPolicy: 'on-failure', maxRetries: 3, restartCount: 3, finishedAtMs: START_MS - HOUR_MS }),
    );
    expect(signalOf(look)).toMatchObject({
      summary: 'ended with exit code 2, and the engine has given up after 3 restarts, 60 min ago',
      sinceMs: START_MS - HOUR_MS,
      details: { exitCode: 2, oomKilled: false },
    });
  });
});

describe('a finding', () => {
  const raised = (): Story => {
    const one = seenRunning();
    one.look(exited(one, 1));
    return one;
  };

  test('stays through a restart of patrold, and clears when the container has run for a minute', () => {
    const one = raised().restart().wait(HOUR_MS);
    expect(one.look(exited(one, 1, { finishedAtMs: one.nowMs - HOUR_MS })).states).toEqual({ '': 'raised:warning' });
    const startedAtMs = one.nowMs;
    const soon = one.wait(20 * SECOND_MS).look(running({ startedAtMs }));
    expect(soon.verdict).toMatchObject({ state: 'unobserved', code: 'confirming', retryAtMs: startedAtMs + MINUTE_MS });
    expect(one.wait(40 * SECOND_MS).look(running({ startedAtMs })).states).toEqual({ '': 'clear' });
  });

  test('clears when it ends well, or is stopped', () => {
    const well = raised().wait(MINUTE_MS);
    expect(well.look(exited(well, 0)).states).toEqual({ '': 'clear' });
    const stopped = raised().wait(MINUTE_MS);
    expect(stopped.look(exited(stopped, 143)).states).toEqual({ '': 'clear' });
  });

  test('is kept while it is being removed', () => {
    const one = raised();
    expect(one.look(exited(one, 1, { state: 'removing' })).states).toEqual({ '': 'unobserved:confirming' });
  });
});

test('one-off runs of Compose are not judged', () => {
  const one = startStory({ detector: containerExited, resource: { ...container, facts: { oneOff: true } } });
  expect(one.look(running()).skipped).toMatchObject([{ code: 'out_of_scope', reason: 'a one-off run' }]);
});

test('a container that was made anew is not held against the one before it (field case 17)', () => {
  const one = seenRunning();
  const anew = exited(one, 1, { instanceId: 'new', createdAtMs: one.nowMs });
  expect(one.look(anew).states).toEqual({ '': 'clear' });
});
