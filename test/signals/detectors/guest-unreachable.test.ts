import { describe, expect, test } from 'vitest';
import { guestUnreachable } from '../../../signals/detectors/guest-unreachable.ts';
import type { ProbeReading } from '../../../signals/reading.ts';
import type { Resource } from '../../../signals/resource.ts';
import { tell } from '../../support/readings.ts';
import {
  MINUTE_MS,
  resourceOf,
  SECOND_MS,
  START_MS,
  settingsOf,
  signalOf,
  startStory,
  type Told,
} from '../../support/signal-story.ts';

const thing = (kind: Resource['kind'], status: Resource['status'] = 'running') =>
  resourceOf(kind, { name: 'nas', status, expects: ['probe'] });
const story = (resource = thing('vm'), settings: Record<string, unknown> = {}) =>
  startStory({ detector: guestUnreachable, resource, settings: settingsOf(resource.kind, 'reachable', settings) });

const probe = (kind: ProbeReading['probe'], answered: boolean, check: string = kind) =>
  tell('probe', { probe: kind, answered, check, reason: answered ? null : 'timed out' });
type Readings = readonly Told[];

/** The answer of the second look, a minute after the first. */
const second = (readings: Readings, resource = thing('vm')) => {
  const one = story(resource);
  one.look(readings);
  return one.wait(MINUTE_MS).look(readings).states;
};

describe('probes of one thing', () => {
  test.each<[string, Readings, string]>([
    ['one that is answered', [probe('http', true)], 'clear'],
    ['one that is not', [probe('http', false)], 'raised:warning'],
    ['none of several', [probe('icmp', false), probe('tcp', false), probe('http', false)], 'raised:warning'],
    ['a firewall that drops ping (field case 22)', [probe('icmp', false), probe('tcp', true)], 'clear'],
    ['ping alone that is answered', [probe('icmp', true), probe('http', false)], 'clear'],
  ])('%s', (_, readings, state) => {
    expect(second(readings)).toEqual({ '': state });
  });

  test('by several sources are weighed together', () => {
    const elsewhere = { ...probe('other', true), stamp: { sourceId: 'metrics' } };
    expect(second([probe('http', false), elsewhere])).toEqual({ '': 'clear' });
  });

  test('count by the newest of each', () => {
    const old = { ...probe('http', false), stamp: { ageMs: MINUTE_MS } };
    expect(second([old, probe('http', true)])).toEqual({ '': 'clear' });
    expect(second([{ ...probe('http', true), stamp: { ageMs: MINUTE_MS } }, probe('http', false)])).toEqual({
      '': 'raised:warning',
    });
  });
});

describe('a container', () => {
  test.each<[string, Readings, string]>([
    [
      'whose port is accepted by the proxy, while nothing answers',
      [probe('tcp', true), probe('http', false)],
      'raised:warning',
    ],
    ['whose port is accepted, and nothing else is asked', [probe('tcp', true)], 'clear'],
    ['whose port is refused', [probe('tcp', false)], 'raised:warning'],
    ['that answers', [probe('tcp', false), probe('http', true)], 'clear'],
  ])('%s', (_, readings, state) => {
    expect(second(readings, thing('container'))).toEqual({ '': state });
  });
});

describe('a guest', () => {
  test.each(['stopped', 'paused'] as const)('that is %s is not judged', (status) => {
    expect(story(thing('container', status)).look([probe('http', false)])).toMatchObject({
      verdicts: [],
      skipped: [{ code: 'out_of_scope' }],
    });
  });

  test('whose own source can not be asked proves nothing by its silence, but something by its answer', () => {
    expect(second([probe('http', false)], thing('vm', 'unknown'))).toEqual({ '': 'unobserved:source_failed' });
    expect(second([probe('http', true)], thing('vm', 'unknown'))).toEqual({ '': 'clear' });
  });

  test('that has failed is silent for that reason', () => {
    expect(second([probe('http', false)], thing('container', 'failed'))).toEqual({ '': 'unobserved:confirming' });
  });

  test.each(['degraded', 'starting'] as const)('that is %s is judged', (status) => {
    expect(second([probe('http', false)], thing('container', status))).toEqual({ '': 'raised:warning' });
  });
});

test.each(['running', 'unknown', 'failed'] as const)(
  'a host is meant to be up, also when it is said to be %s',
  (status) => {
    expect(second([probe('icmp', false)], thing('host', status))).toEqual({ '': 'raised:warning' });
  },
);

describe('silence', () => {
  test('counts when it was met twice, a minute apart', () => {
    const one = story();
    expect(one.look([probe('http', false)]).verdict).toMatchObject({
      code: 'confirming',
      retryAtMs: START_MS + MINUTE_MS,
    });
    expect(
      one
        .restart()
        .wait(MINUTE_MS - SECOND_MS)
        .look([probe('http', false)]).states,
    ).toEqual({ '': 'unobserved:confirming' });
    expect(one.wait(SECOND_MS).look([probe('http', false)]).states).toEqual({ '': 'raised:warning' });
  });

  test('that was broken in between begins anew', () => {
    const one = story();
    one.look([probe('http', false)]);
    one.wait(MINUTE_MS).look([probe('http', true)]);
    expect(one.wait(MINUTE_MS).look([probe('http', false)]).states).toEqual({ '': 'unobserved:confirming' });
  });

  test('ends with the first answer', () => {
    const one = story();
    one.look([probe('http', false)]);
    one.wait(MINUTE_MS).look([probe('http', false)]);
    expect(one.wait(MINUTE_MS).look([probe('http', true)]).states).toEqual({ '': 'clear' });
  });

  test('of probes that could not be made is none, and leaves open what was raised', () => {
    const gaps = [
      { sourceId: 'host', reads: ['probe' as const], code: 'not_permitted' as const, reason: 'no ping here' },
    ];
    const one = story();
    expect(one.look([], { gaps }).states).toEqual({ '': 'unobserved:not_permitted' });
    one.look([probe('http', false)]);
    one.wait(MINUTE_MS).look([probe('http', false)]);
    expect(one.wait(MINUTE_MS).look([], { gaps }).states).toEqual({ '': 'unobserved:not_permitted' });
    expect(one.memory()?.severity).toBe('warning');
  });

  test('can be given longer by the operator', () => {
    const one = story(thing('vm'), { forMs: 10 * MINUTE_MS });
    one.look([probe('http', false)]);
    expect(one.wait(9 * MINUTE_MS).look([probe('http', false)]).states).toEqual({ '': 'unobserved:confirming' });
    expect(one.wait(MINUTE_MS).look([probe('http', false)]).states).toEqual({ '': 'raised:warning' });
  });
});

test('the finding names what was asked, and why it failed', () => {
  const many = ['a', 'b', 'c', 'd', 'e', 'f'].map((check) => probe('http', false, check));
  const one = story(thing('endpoint'));
  one.look(many);
  const signal = signalOf(one.wait(5 * MINUTE_MS).look(many));
  expect(signal.summary).toBe(
    'nas does not answer a (http: timed out), b (http: timed out), c (http: timed out), d (http: timed out) and 2 more, for 5 min',
  );
  expect(signal.evidence).toHaveLength(6);
});
