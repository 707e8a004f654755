import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { highCpu } from '../../../signals/detectors/high-cpu.ts';
import { metrics } from '../../../signals/history.ts';
import { tell } from '../../support/readings.ts';
import {
  MINUTE_MS,
  rankOf,
  resourceOf,
  START_MS,
  settingsOf,
  signalOf,
  startStory,
} from '../../support/signal-story.ts';

const host = resourceOf('host', { expects: ['cpu'] });
const story = (settings?: Parameters<typeof settingsOf>[2]) =>
  startStory({
    detector: highCpu,
    resource: host,
    ...(settings === undefined ? {} : { settings: settingsOf('host', 'cpu', settings) }),
  });
const busy = (busyRatio: number, more = {}) => [tell('cpu', { busyRatio, ...more })];

describe('a mean over the whole window', () => {
  test.each([
    [0.699, 'clear'],
    [0.7, 'raised:warning'],
    [1, 'raised:warning'],
    [1.3, 'raised:warning'],
    [0, 'clear'],
  ])('of %d is %s', (ratio, state) => {
    expect(story().look(busy(ratio)).states).toEqual({ '': state });
  });

  test('is told with its limit, where that came from, its unit and what clears it', () => {
    const signal = signalOf(story().look(busy(0.923)));
    expect(signal).toMatchObject({
      key: 'high_cpu',
      category: 'performance',
      summary: 'CPU 92.3 % busy over 15 min, limit 70 % (default)',
      clearsWhen: 'the mean over 15 min is back at 65 % or less',
      level: { value: 92.3, unit: 'percent', limit: { trigger: 70, clear: 65, origin: { kind: 'default' } } },
      evidence: ['e1-0'],
    });
  });

  test('says apart what waits for I/O and what the hypervisor took, neither being busy', () => {
    const { summary } = signalOf(story().look(busy(0.8, { iowaitRatio: 0.12, stealRatio: 0.3 })));
    expect(summary).toContain('apart from that 12 % waiting for I/O; apart from that 30 % stolen by the hypervisor');
    expect(signalOf(story().look(busy(0.8, { iowaitRatio: 0.04, stealRatio: null }))).summary).not.toContain('apart');
    expect(story().look(busy(0.3, { iowaitRatio: 0.69 })).states).toEqual({ '': 'clear' });
  });
});

test('a finding stays inside the band, in both directions', () => {
  const one = story();
  const said = [0.69, 0.71, 0.66, 0.69, 0.65, 0.69, 0.66, 0.7].map(
    (ratio) => one.wait(15 * MINUTE_MS).look(busy(ratio)).states[''],
  );
  const [clear, raised] = ['clear', 'raised:warning'];
  expect(said).toEqual([clear, raised, raised, raised, clear, clear, clear, raised]);
});

describe('a source that measures between two looks', () => {
  const between = (ratio: number) => busy(ratio, { windowMs: 5 * MINUTE_MS });

  test('warms up until 80 % of the window were seen, and is asked again in time', () => {
    const one = story();
    const first = one.look(between(0.9));
    expect(first.states).toEqual({ '': 'unobserved:warming_up' });
    expect(first.verdict).toMatchObject({ reason: '5 min of 15 min observed', retryAtMs: START_MS + 7.5 * MINUTE_MS });
    expect(one.wait(5 * MINUTE_MS).look(between(0.9)).states).toEqual({ '': 'unobserved:warming_up' });
    expect(one.wait(5 * MINUTE_MS).look(between(0.9)).states).toEqual({ '': 'raised:warning' });
  });

  test('does not raise for a moment', () => {
    const one = story();
    const said = [0.2, 0.2, 1, 0.2].map((ratio) => one.wait(5 * MINUTE_MS).look(between(ratio)).states['']);
    expect(said).toEqual(['unobserved:warming_up', 'unobserved:warming_up', 'clear', 'clear']);
  });

  test('that fell silent for hours warms up again, and what was raised stays', () => {
    const one = story();
    for (let look = 0; look < 3; look += 1) one.wait(5 * MINUTE_MS).look(between(0.9));
    expect(one.wait(180 * MINUTE_MS).look(between(0.9)).states).toEqual({ '': 'unobserved:warming_up' });
    expect(one.memory()).toMatchObject({ severity: 'warning' });
  });
});

test('instants are joined to what was seen before', () => {
  const one = story().past(
    metrics.cpu,
    [15, 10, 5].map((ago) => [START_MS - ago * MINUTE_MS, 0.9]),
  );
  expect(one.look(busy(0.9, { windowMs: 0 })).states).toEqual({ '': 'raised:warning' });
});

test('a window that the source saw too little of is unobserved', () => {
  expect(story().look(busy(0.9, { observedRatio: 0.79 })).states).toEqual({ '': 'unobserved:warming_up' });
  expect(story().look(busy(0.9, { observedRatio: 0.8 })).states).toEqual({ '': 'raised:warning' });
});

test('a restart neither repeats nor forgets it', () => {
  const one = story();
  one.look(busy(0.9));
  const again = signalOf(
    one
      .restart()
      .wait(15 * MINUTE_MS)
      .look(busy(0.66)),
  );
  expect(again).toMatchObject({ key: 'high_cpu', sinceMs: START_MS });
});

describe('the operator’s settings', () => {
  test('are taken as written, and named', () => {
    expect(story({ warning: 96 }).look(busy(0.923)).states).toEqual({ '': 'clear' });
    expect(signalOf(story({ warning: 85, critical: 95 }).look(busy(0.96)))).toMatchObject({
      severity: 'critical',
      summary: 'CPU 96 % busy over 15 min, limit 95 % (alerts.host.cpu.critical)',
    });
  });

  test('may shorten the window, down to nothing', () => {
    expect(story({ forMs: 0 }).look(busy(0.9, { windowMs: 0 })).states).toEqual({ '': 'raised:warning' });
  });

  test('may switch it off', () => {
    expect(story({ off: true }).look(busy(1))).toMatchObject({ verdicts: [], skipped: [{ code: 'switched_off' }] });
  });
});

test('a guest that is off is out of scope, a host that does not answer is unobserved', () => {
  const vm = startStory({ detector: highCpu, resource: resourceOf('vm', { status: 'stopped', expects: ['cpu'] }) });
  expect(vm.look([])).toMatchObject({ verdicts: [], skipped: [{ code: 'out_of_scope', reason: 'it is stopped' }] });
  const gaps = [{ sourceId: 'host', reads: [], code: 'unreachable', reason: 'no route' }] as const;
  expect(story().look([], { gaps }).states).toEqual({ '': 'unobserved:unreachable' });
});

test('of two readings the newest counts', () => {
  expect(
    story().look([...busy(0.9), { ...tell('cpu', { busyRatio: 0.1 }), stamp: { ageMs: MINUTE_MS } }]).states,
  ).toEqual({ '': 'raised:warning' });
});

test('a higher mean never lowers the severity', () => {
  const ratio = fc.double({ min: 0, max: 1.5, noNaN: true });
  fc.assert(
    fc.property(ratio, ratio, fc.boolean(), (a, b, raisedBefore) => {
      const rank = (value: number): number => {
        const one = story({ critical: 90 });
        if (raisedBefore) one.look(busy(0.95));
        return rankOf(one.wait(15 * MINUTE_MS).look(busy(value)));
      };
      expect(rank(Math.max(a, b))).toBeGreaterThanOrEqual(rank(Math.min(a, b)));
    }),
  );
});
