import { describe, expect, it } from 'vitest';
import { increase } from '../../../src/sources/prometheus/areas/oom-kills.ts';
import { rememberedUnits, rememberUnits } from '../../../src/sources/prometheus/remembered-units.ts';
import { keepEvaluated, surveyContext } from '../../../src/sources/prometheus/survey-context.ts';
import { createMemoryState } from '../../support/memory-state.ts';
import { surveyRequest } from '../../support/source-deps.ts';

const HOUR_MS = 3_600_000;
const AT_MS = 1_000 * HOUR_MS;
const contextFor = (state = createMemoryState(), lastSurveyAtMs: number | null = null, windows = {}) =>
  surveyContext({
    match: [],
    state,
    request: surveyRequest({ lastSurveyAtMs, ...windows }),
    atMs: AT_MS,
    clockOffsetMs: 500,
  });

describe('events are looked for', () => {
  it('in the last hour at first', () => {
    expect(contextFor().eventsSinceMs).toBe(AT_MS - HOUR_MS);
  });

  it('since the instant that the survey before was evaluated at, so that none falls in between', () => {
    const state = createMemoryState();
    keepEvaluated(state, AT_MS - 300_000);
    expect(contextFor(state, AT_MS - 290_000).eventsSinceMs).toBe(AT_MS - 300_000);
  });

  it('since the survey before by the clock there, where that instant was lost', () => {
    expect(contextFor(createMemoryState(), AT_MS - 300_000).eventsSinceMs).toBe(AT_MS - 299_500);
  });

  it('never from the future, after a clock was set back', () => {
    const state = createMemoryState();
    keepEvaluated(state, AT_MS + HOUR_MS);
    expect(contextFor(state, AT_MS).eventsSinceMs).toBe(AT_MS);
  });
});

it('averages over the longest window that limits ask for, and over five minutes where none does', () => {
  expect(
    contextFor(createMemoryState(), null, { windowsMs: { cpu: [300_000, 900_000], memory: [], temperature: [1_000] } })
      .windowMs,
  ).toEqual({
    cpu: 900_000,
    memory: 300_000,
    temperature: 60_000,
  });
});

it('forgets a unit a day after it was bad last', () => {
  const state = createMemoryState();
  rememberUnits(state, new Map([['unit:a', 'a.service']]), AT_MS);
  rememberUnits(state, new Map([['unit:b', 'b.service']]), AT_MS + HOUR_MS);
  expect(rememberedUnits(state, AT_MS + 2 * HOUR_MS).map(({ name }) => name)).toEqual(['b.service', 'a.service']);
  expect(rememberedUnits(state, AT_MS + 24.5 * HOUR_MS).map(({ name }) => name)).toEqual(['b.service']);
  expect(contextFor(state).unitNames).toEqual(['b.service', 'a.service']);
});

describe('the increase of a counter', () => {
  it.each([
    ['is what came on top', 3, 5, false, 2],
    ['is nothing where it stands still', 5, 5, false, 0],
    ['is all of it after a reset', 5, 2, true, 2],
    ['is all of it where it began with a boot since', undefined, 4, true, 4],
    ['is unknown, so none, where it was not there before', undefined, 4, false, 0],
  ])('%s', (_title, before, now, bootedSince, expected) => {
    expect(increase(before, now, bootedSince)).toBe(expected);
  });
});
