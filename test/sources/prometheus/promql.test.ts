import { expect, it } from 'vitest';
import {
  anyOf,
  literalPattern,
  observedShare,
  quote,
  seconds,
  selectorWith,
  whoseLast,
} from '../../../src/sources/prometheus/promql.ts';

it('writes selectors with the operator’s matchers behind its own', () => {
  expect(selectorWith([])('up')).toBe('up');
  expect(selectorWith(['site="home"'])('up')).toBe('up{site="home"}');
  expect(selectorWith(['site="home"'])('up', 'job="a"')).toBe('up{job="a",site="home"}');
  expect(anyOf(selectorWith(['site="home"']), ['a', 'b'], 'c="d"')).toBe('{__name__=~"a|b",c="d",site="home"}');
});

it('quotes what could end a string, and escapes what a pattern would take for its own', () => {
  expect(quote('a"b\\c\nd')).toBe('"a\\"b\\\\c\\nd"');
  expect(literalPattern('getty@tty1.service')).toBe('getty@tty1\\.service');
  expect(quote(literalPattern('a.b'))).toBe('"a\\\\.b"');
});

it('writes durations in whole seconds, never none', () => {
  expect([seconds(900_000), seconds(1_499), seconds(0)]).toEqual(['900s', '1s', '1s']);
});

it('looks at the last value to choose a past', () => {
  expect(whoseLast('up{a="b"}', '== 0')).toBe('up{a="b"} and (up{a="b"} @ end() == 0)');
});

it('counts minutes and samples for the share that was observed', () => {
  expect(observedShare('m', 900_000)).toContain('count_over_time(m[900s:1m]) / 15');
  expect(observedShare('m', 900_000)).toContain('* 1.5');
});
