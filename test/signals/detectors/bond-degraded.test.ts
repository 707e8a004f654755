import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { bondDegraded } from '../../../signals/detectors/bond-degraded.ts';
import { tell } from '../../support/readings.ts';
import { MINUTE_MS, resourceOf, SECOND_MS, START_MS, settingsOf, startStory } from '../../support/signal-story.ts';

const host = resourceOf('host', { expects: ['bond'] });
const story = (settings: Record<string, unknown> = {}) =>
  startStory({ detector: bondDegraded, resource: host, settings: settingsOf('host', 'bond', settings) });
const bond = (name: string, ...up: readonly boolean[]) =>
  tell('bond', { name, members: up.map((isUp, index) => ({ name: `eth${index}`, up: isUp })) });

describe('a member that is down', () => {
  test('counts after five minutes, and is asked about again by then', () => {
    const one = story();
    const first = one.look([bond('bond0', true, false)]);
    expect(first.states).toEqual({ bond0: 'unobserved:confirming' });
    expect(first.verdict).toMatchObject({ retryAtMs: START_MS + 5 * MINUTE_MS });
    expect(one.wait(5 * MINUTE_MS - SECOND_MS).look([bond('bond0', true, false)]).states).toEqual({
      bond0: 'unobserved:confirming',
    });
    const { verdict } = one.wait(SECOND_MS).look([bond('bond0', true, false)]);
    expect(verdict).toMatchObject({
      state: 'raised',
      signal: {
        key: 'bond_degraded:bond0',
        severity: 'warning',
        category: 'connectivity',
        summary: 'bond0: eth1 down, 1 of 2 members up, for 5 min',
        sinceMs: START_MS,
        level: { value: 1, unit: 'count', direction: 'below' },
      },
    });
  });

  test('that comes back in between begins anew', () => {
    const one = story();
    const said = [false, true, false, false].map(
      (up) => one.wait(4 * MINUTE_MS).look([bond('bond0', true, up)]).states['bond0'],
    );
    expect(said).toEqual(['unobserved:confirming', 'clear', 'unobserved:confirming', 'unobserved:confirming']);
  });

  test('clears when it is up again', () => {
    const one = story();
    one.look([bond('bond0', true, false)]);
    one.wait(6 * MINUTE_MS).look([bond('bond0', true, false)]);
    expect(one.wait(MINUTE_MS).look([bond('bond0', true, true)]).states).toEqual({ bond0: 'clear' });
  });

  test('is remembered over a restart, both while it is confirmed and after', () => {
    const one = story();
    one.look([bond('bond0', true, false)]);
    expect(
      one
        .restart()
        .wait(5 * MINUTE_MS)
        .look([bond('bond0', true, false)]).states,
    ).toEqual({ bond0: 'raised:warning' });
    expect(
      one
        .restart()
        .wait(MINUTE_MS)
        .look([bond('bond0', true, false)]).verdict,
    ).toMatchObject({ signal: { sinceMs: START_MS } });
  });
});

test('each bond is a finding of its own', () => {
  const one = story();
  const sick = [bond('bond0', true, false), bond('bond1', true, true)];
  one.look(sick);
  expect(one.wait(5 * MINUTE_MS).look(sick).states).toEqual({ bond0: 'raised:warning', bond1: 'clear' });
});

test('a bond that is taken apart is absent', () => {
  const one = story();
  one.look([bond('bond0', true, false)]);
  one.wait(5 * MINUTE_MS).look([bond('bond0', true, false), bond('bond1', true)]);
  expect(one.wait(5 * MINUTE_MS).look([bond('bond1', true)]).absent).toMatchObject([{ subject: 'bond0' }]);
});

test('the operator may ask for more time, and switch it off', () => {
  const one = story({ forMs: 10 * MINUTE_MS });
  one.look([bond('bond0', false)]);
  expect(one.wait(9 * MINUTE_MS).look([bond('bond0', false)]).states).toEqual({ bond0: 'unobserved:confirming' });
  expect(story({ off: true }).look([bond('bond0', false)])).toMatchObject({
    verdicts: [],
    skipped: [{ code: 'switched_off' }],
  });
});

test('more members down are never less of a fault', () => {
  fc.assert(
    fc.property(fc.array(fc.boolean(), { minLength: 1, maxLength: 4 }), (up) => {
      const one = story();
      one.look([bond('bond0', ...up)]);
      const state = one.wait(5 * MINUTE_MS).look([bond('bond0', ...up)]).states['bond0'];
      expect(state).toBe(up.every(Boolean) ? 'clear' : 'raised:warning');
    }),
  );
});
