import fc from 'fast-check';
import { expect, it } from 'vitest';
import { parseCalendarEvent } from '../../../../src/sources/proxmox/calendar-event/calendar-event.ts';
import { createEventReckoner } from '../../../../src/sources/proxmox/calendar-event/next-events.ts';

const reckoner = createEventReckoner();
const next = (text: string, after: string, timeZone = 'UTC', count = 3): readonly string[] | null => {
  const event = parseCalendarEvent(text);
  if (event === null) throw new Error(`${text} is none`);
  return (
    reckoner
      .nextEvents(event, Date.parse(after), timeZone, count)
      ?.map((atMs) => new Date(atMs).toISOString().replace('.000Z', 'Z')) ?? null
  );
};

// 2026-03-10 is a Tuesday.
it.each([
  ['*/15', '2026-03-10T12:07:00Z', ['2026-03-10T12:15:00Z', '2026-03-10T12:30:00Z', '2026-03-10T12:45:00Z']],
  ['30', '2026-03-10T12:07:00Z', ['2026-03-10T12:30:00Z', '2026-03-10T13:30:00Z', '2026-03-10T14:30:00Z']],
  ['21:00', '2026-03-10T21:00:00Z', ['2026-03-11T21:00:00Z', '2026-03-12T21:00:00Z', '2026-03-13T21:00:00Z']],
  ['2,14:30', '2026-03-10T12:00:00Z', ['2026-03-10T14:30:00Z', '2026-03-11T02:30:00Z', '2026-03-11T14:30:00Z']],
  ['sat 02:00', '2026-03-10T12:00:00Z', ['2026-03-14T02:00:00Z', '2026-03-21T02:00:00Z', '2026-03-28T02:00:00Z']],
  [
    'mon..fri 8..9:0/30',
    '2026-03-13T08:45:00Z',
    ['2026-03-13T09:00:00Z', '2026-03-13T09:30:00Z', '2026-03-16T08:00:00Z'],
  ],
  ['sat,sun', '2026-03-10T12:00:00Z', ['2026-03-14T00:00:00Z', '2026-03-15T00:00:00Z', '2026-03-21T00:00:00Z']],
  ['monthly', '2026-03-10T12:00:00Z', ['2026-04-01T00:00:00Z', '2026-05-01T00:00:00Z', '2026-06-01T00:00:00Z']],
  [
    'Sun *-*-1..7 03:00',
    '2026-03-10T12:00:00Z',
    ['2026-04-05T03:00:00Z', '2026-05-03T03:00:00Z', '2026-06-07T03:00:00Z'],
  ],
  ['12-31 23:59', '2026-03-10T12:00:00Z', ['2026-12-31T23:59:00Z', '2027-12-31T23:59:00Z', '2028-12-31T23:59:00Z']],
  ['quarterly', '2026-03-10T12:00:00Z', ['2026-04-01T00:00:00Z', '2026-07-01T00:00:00Z', '2026-10-01T00:00:00Z']],
  ['fri..mon 0:0', '2026-03-10T12:00:00Z', ['2026-03-13T00:00:00Z', '2026-03-14T00:00:00Z', '2026-03-15T00:00:00Z']],
])('%s after %s', (text, after, times) => {
  expect(next(text, after)).toEqual(times);
});

it('goes by the wall clock of its zone, over both changes of the clock', () => {
  expect(next('02:30', '2026-03-28T00:00:00Z', 'Europe/Vienna')).toEqual([
    '2026-03-28T01:30:00Z',
    // There is no half past two that night.
    '2026-03-29T01:30:00Z',
    '2026-03-30T00:30:00Z',
  ]);
  expect(next('21:00', '2026-10-24T00:00:00Z', 'Europe/Vienna', 2)).toEqual([
    '2026-10-24T19:00:00Z',
    '2026-10-25T20:00:00Z',
  ]);
  expect(next('21:00 UTC', '2026-10-24T00:00:00Z', 'Europe/Vienna', 1)).toEqual(['2026-10-24T21:00:00Z']);
});

it('comes never where there is no such day, and not at all in a zone that nobody knows', () => {
  expect(next('2-30 0:0', '2026-03-10T12:00:00Z')).toBeNull();
  expect(next('daily', '2026-03-10T12:00:00Z', 'Mars/Olympus')).toBeNull();
});

it('always lies after the instant it is asked for, and in order', () => {
  const texts = fc.constantFrom(
    '*/15',
    'hourly',
    '21:00',
    'sat 02:00',
    'mon..fri 22:30',
    'monthly',
    '1..7-1 4:0',
    '0/7:0/13',
  );
  const zones = fc.constantFrom('UTC', 'Europe/Vienna', 'America/New_York', 'Asia/Kolkata', 'Pacific/Apia');
  fc.assert(
    fc.property(texts, zones, fc.integer({ min: 0, max: 4e12 }), (text, zone, afterMs) => {
      const event = parseCalendarEvent(text);
      const times = event === null ? null : reckoner.nextEvents(event, afterMs, zone, 3);
      expect(times).not.toBeNull();
      const [first = 0, second = 0, third = 0] = times ?? [];
      expect(first).toBeGreaterThan(afterMs);
      expect(second).toBeGreaterThan(first);
      expect(third).toBeGreaterThan(second);
    }),
    { numRuns: 300 },
  );
});
