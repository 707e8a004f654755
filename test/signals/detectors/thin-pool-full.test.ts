import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { thinPoolFull } from '../../../signals/detectors/thin-pool-full.ts';
import { tell } from '../../support/readings.ts';
import { MINUTE_MS, rankOf, resourceOf, START_MS, settingsOf, startStory } from '../../support/signal-story.ts';

const pool = resourceOf('pool', { expects: ['thin_pool'] });
const story = (metric = 'thinData', settings: Record<string, unknown> = {}) =>
  startStory({ detector: thinPoolFull, resource: pool, settings: settingsOf('pool', metric, settings) });
const filled = (data: number, metadata: number | null) => [
  tell('thin_pool', { dataUsedRatio: data, metadataUsedRatio: metadata }),
];

describe('data and metadata', () => {
  test.each([
    [0.4, 0.1, 'clear', 'clear'],
    [0.79, 0.79, 'clear', 'clear'],
    [0.8, 0.1, 'raised:warning', 'clear'],
    [0.9, 0.1, 'raised:critical', 'clear'],
    [0.4, 0.8, 'clear', 'raised:warning'],
    [0.4, 0.9, 'clear', 'raised:critical'],
    [1, 1, 'raised:critical', 'raised:critical'],
    [0.4, null, 'clear', 'unobserved:not_supported'],
  ])('at %s and %s are %s and %s', (data, metadata, ofData, ofMetadata) => {
    expect(story().look(filled(data, metadata)).states).toEqual({ data: ofData, metadata: ofMetadata });
  });

  test('are findings of their own, told apart', () => {
    const signals = story()
      .look(filled(0.85, 0.95))
      .verdicts.flatMap((verdict) => (verdict.state === 'raised' ? [verdict.signal] : []));
    expect(signals).toMatchObject([
      {
        key: 'thin_pool_full:data',
        summary: "85 % of the pool's space used, limit 80 % (default)",
        clearsWhen: 'use is back at 75 % or less',
      },
      { key: 'thin_pool_full:metadata', summary: "95 % of the pool's metadata used, limit 90 % (default)" },
    ]);
  });
});

test('each stays raised inside its own band', () => {
  const one = story();
  const said = [0.81, 0.76, 0.91, 0.86, 0.85, 0.76, 0.75].map(
    (ratio) => one.wait(MINUTE_MS).look(filled(ratio, 0.1)).states['data'],
  );
  const [warning, critical] = ['raised:warning', 'raised:critical'];
  expect(said).toEqual([warning, warning, critical, critical, warning, warning, 'clear']);
});

test('a source that stops telling the metadata leaves what was raised of it', () => {
  const one = story();
  one.look(filled(0.4, 0.95));
  expect(one.wait(MINUTE_MS).look(filled(0.4, null)).states).toEqual({
    data: 'clear',
    metadata: 'unobserved:not_supported',
  });
  expect(one.restart().memory('metadata')).toMatchObject({ severity: 'critical', sinceMs: START_MS });
});

test('nonsense is unobserved', () => {
  expect(story().look(filled(40, 0.1)).states).toEqual({ '': 'unobserved:malformed' });
});

test('one of the two may be switched off, or have a limit of its own', () => {
  expect(story('thinData', { off: true }).look(filled(1, 0.1)).states).toEqual({ metadata: 'clear' });
  expect(story('thinMetadata', { warning: 50 }).look(filled(0.4, 0.6)).states).toEqual({
    data: 'clear',
    metadata: 'raised:warning',
  });
});

test('more in use never lowers the severity', () => {
  const ratio = fc.double({ min: 0, max: 1, noNaN: true });
  fc.assert(
    fc.property(ratio, ratio, fc.boolean(), (a, b, raisedBefore) => {
      const rank = (value: number): number => {
        const one = story();
        if (raisedBefore) one.look(filled(0.95, 0.95));
        const look = one.look(filled(value, value));
        return rankOf(look, 'data') * 10 + rankOf(look, 'metadata');
      };
      expect(rank(Math.max(a, b))).toBeGreaterThanOrEqual(rank(Math.min(a, b)));
    }),
  );
});
