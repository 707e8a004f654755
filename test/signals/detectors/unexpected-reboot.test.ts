import { describe, expect, test } from 'vitest';
import { unexpectedReboot } from '../../../signals/detectors/unexpected-reboot.ts';
import { tell } from '../../support/readings.ts';
import {
  DAY_MS,
  HOUR_MS,
  MINUTE_MS,
  resourceOf,
  START_MS,
  settingsOf,
  signalOf,
  startStory,
} from '../../support/signal-story.ts';

const host = resourceOf('host', { expects: ['boot'] });
const story = (settings: Record<string, unknown> = {}) =>
  startStory({ detector: unexpectedReboot, resource: host, settings: settingsOf('host', 'reboot', settings) });
const booted = (hoursAgo: number, previousEndedOrderly: boolean | null) => [
  tell('boot', {
    bootedAtMs: START_MS - hoursAgo * HOUR_MS,
    previousEndedOrderly,
    previousEndedAtMs: previousEndedOrderly === null ? null : START_MS - hoursAgo * HOUR_MS - 90 * MINUTE_MS,
  }),
];

describe('a boot', () => {
  test.each([
    ['an hour ago after an orderly shutdown', 1, true, 'clear'],
    ['an hour ago without one', 1, false, 'raised:warning'],
    ['just under a day ago without one', 23.9, false, 'raised:warning'],
    ['a day ago without one', 24, false, 'clear'],
    ['an hour ago after nobody knows what', 1, null, 'unobserved:not_supported'],
    ['a week ago after nobody knows what', 168, null, 'clear'],
  ] as const)('%s is %s', (_, hoursAgo, orderly, state) => {
    expect(story().look(booted(hoursAgo, orderly)).states).toEqual({ '': state });
  });

  test('is told with its time and where the log before it breaks off', () => {
    expect(signalOf(story().look(booted(2, false)))).toMatchObject({
      key: 'unexpected_reboot',
      severity: 'warning',
      summary: 'booted 2 h ago without an orderly shutdown before it; the log before it breaks off 90 min earlier',
      clearsWhen: 'it has been up for 24 h',
      sinceMs: START_MS - 2 * HOUR_MS,
    });
  });

  test('that no survey has seen yet counts, however long patrold was down', () => {
    const look = story().look(booted(72, false), { lastSurveyAtMs: START_MS - 5 * DAY_MS });
    expect(look.states).toEqual({ '': 'raised:warning' });
    expect(story().look(booted(72, false), { lastSurveyAtMs: START_MS - DAY_MS }).states).toEqual({ '': 'clear' });
  });
});

test('it stays a finding for a day, over restarts, and then clears', () => {
  const one = story();
  one.look(booted(1, false));
  const lastSurveyAtMs = START_MS;
  expect(
    one
      .restart()
      .wait(22 * HOUR_MS)
      .look(booted(1, false), { lastSurveyAtMs }).states,
  ).toEqual({ '': 'raised:warning' });
  expect(one.wait(HOUR_MS).look(booted(1, false), { lastSurveyAtMs }).states).toEqual({ '': 'clear' });
});

test('an orderly reboot after it clears it', () => {
  const one = story();
  one.look(booted(1, false));
  expect(one.wait(HOUR_MS).look(booted(-0.5, true)).states).toEqual({ '': 'clear' });
});

test('the operator may switch it off', () => {
  expect(story({ off: true }).look(booted(1, false))).toMatchObject({
    verdicts: [],
    skipped: [{ code: 'switched_off' }],
  });
});
