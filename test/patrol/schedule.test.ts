import { describe, expect, test } from 'vitest';
import { parseCron } from '../../src/patrol/schedule.ts';

const utc = (text: string): number => Date.parse(text);
const due = (expression: string, zone: string, from: string, count: number): string[] => {
  const schedule = parseCron(expression, zone);
  const found: string[] = [];
  for (let at: number | null = utc(from); found.length < count; ) {
    at = schedule.nextAfter(at);
    if (at === null) break;
    found.push(new Date(at).toISOString().slice(0, 16));
  }
  return found;
};

describe('a schedule in plain weeks', () => {
  test.each([
    [
      '0 */6 * * *',
      'UTC',
      '2026-12-01T00:00:00Z',
      ['2026-12-01T06:00', '2026-12-01T12:00', '2026-12-01T18:00', '2026-12-02T00:00'],
    ],
    ['*/5 * * * *', 'UTC', '2026-12-01T00:03:10Z', ['2026-12-01T00:05', '2026-12-01T00:10']],
    ['30 2 * * 1', 'Europe/Vienna', '2026-12-01T00:00:00Z', ['2026-12-07T01:30', '2026-12-14T01:30']],
    ['0 9 * * *', 'Asia/Kathmandu', '2026-12-01T00:00:00Z', ['2026-12-01T03:15', '2026-12-02T03:15']],
    ['0 0 29 2 *', 'UTC', '2026-12-01T00:00:00Z', ['2028-02-29T00:00', '2032-02-29T00:00']],
  ])('%s in %s from %s comes when the wall clock says so', (expression, zone, from, expected) => {
    expect(due(expression, zone, from, expected.length)).toEqual(expected);
  });

  test('an instant that is due is not due again after itself', () => {
    expect(due('0 6 * * *', 'UTC', '2026-12-01T06:00:00Z', 1)).toEqual(['2026-12-02T06:00']);
  });

  test('a weekday that meets its day only now and then is found years ahead', () => {
    expect(due('0 0 29 2 *', 'Europe/Vienna', '2028-03-01T00:00:00Z', 1)).toEqual(['2032-02-28T23:00']);
  });
});

describe('the nights when clocks change', () => {
  test.each([
    [
      '30 2 * * *',
      'Europe/Vienna',
      'a skipped time is due right after the gap',
      '2026-03-28T12:00:00Z',
      ['2026-03-29T01:00', '2026-03-30T00:30'],
    ],
    [
      '0 3 * * *',
      'Europe/Vienna',
      'the first time after the gap is due once',
      '2026-03-28T12:00:00Z',
      ['2026-03-29T01:00', '2026-03-30T01:00'],
    ],
    [
      '30 2 * * *',
      'Europe/Vienna',
      'a repeated time is due the first time only',
      '2026-10-24T12:00:00Z',
      ['2026-10-25T00:30', '2026-10-26T01:30'],
    ],
    [
      '0 */6 * * *',
      'Europe/Vienna',
      'every six hours stays four times a day',
      '2026-10-24T21:00:00Z',
      ['2026-10-24T22:00', '2026-10-25T05:00', '2026-10-25T11:00', '2026-10-25T17:00', '2026-10-25T23:00'],
    ],
    [
      '30 * * * *',
      'Europe/Vienna',
      'every hour follows elapsed time through the repeated hour',
      '2026-10-24T23:45:00Z',
      ['2026-10-25T00:30', '2026-10-25T01:30', '2026-10-25T02:30'],
    ],
    [
      '30 * * * *',
      'Europe/Vienna',
      'every hour follows elapsed time over the gap',
      '2026-03-29T00:00:00Z',
      ['2026-03-29T00:30', '2026-03-29T01:30'],
    ],
    [
      '15 2 * * *',
      'Australia/Lord_Howe',
      'a gap of half an hour counts too',
      '2026-10-03T00:00:00Z',
      ['2026-10-03T15:30', '2026-10-04T15:15'],
    ],
    [
      '30 0 * * *',
      'America/Havana',
      'midnight is skipped where a zone changes at midnight',
      '2026-03-07T12:00:00Z',
      ['2026-03-08T05:00', '2026-03-09T04:30'],
    ],
  ])('%s in %s: %s', (expression, zone, _why, from, expected) => {
    expect(due(expression, zone, from, expected.length)).toEqual(expected);
  });

  test('over a whole year, a daily time comes exactly once on every local day, in zones of all kinds', () => {
    for (const zone of [
      'Europe/Vienna',
      'America/New_York',
      'Australia/Lord_Howe',
      'America/Havana',
      'Asia/Tokyo',
      'America/Santiago',
    ]) {
      const localDay = new Intl.DateTimeFormat('en-CA', { timeZone: zone });
      for (const expression of ['30 0 * * *', '30 1 * * *', '15 2 * * *', '59 23 * * *']) {
        const days = due(expression, zone, '2026-01-01T00:00:00Z', 366).map((at) => localDay.format(utc(`${at}:00Z`)));
        expect(new Set(days).size, `${expression} in ${zone}`).toBe(366);
      }
    }
  });
});

test.each([
  ['0 0 * *', 'UTC', 'five fields'],
  ['0 0 0 * * *', 'UTC', 'five fields'],
  ['61 * * * *', 'UTC', 'no schedule'],
  ['0 0 31 2 *', 'UTC', 'impossible'],
  ['0 0 * * *', 'Mars/Olympus', 'IANA'],
])('"%s" in %s is refused with the reason', (expression, zone, message) => {
  expect(() => parseCron(expression, zone)).toThrow(message);
});
