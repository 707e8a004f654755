import fc from 'fast-check';
import { expect, it } from 'vitest';
import { parseCalendarEvent } from '../../../../src/sources/proxmox/calendar-event/calendar-event.ts';
import { componentOf } from '../../../../src/sources/proxmox/calendar-event/component.ts';

it.each([
  '',
  'someday',
  'mon..blue 1:0',
  '25:00',
  '10:60',
  '1:2:3:4',
  '*-13-1',
  '5..3:0',
  '*/0',
  '1:0 2:0',
  'mo 1:0',
  '--',
  'x'.repeat(500),
])('takes %j for no event', (text) => {
  expect(parseCalendarEvent(text)).toBeNull();
});

it('reads weekdays, dates and times', () => {
  expect(parseCalendarEvent('MON,Wednesday..fri *-2..4-1/10 22:*/30:15')).toEqual({
    weekdays: new Set([1, 3, 4, 5]),
    years: null,
    months: new Set([2, 3, 4]),
    days: new Set([1, 11, 21, 31]),
    hours: [22],
    minutes: [0, 30],
    seconds: [15],
    isUtc: false,
  });
});

it.each([
  ['*', 'any'],
  ['5', [5]],
  ['7,1', [1, 7]],
  ['2..4', [2, 3, 4]],
  ['20/2', [20, 22]],
  ['*/10', [0, 10, 20]],
  ['1..9/4', [1, 5, 9]],
  ['24', null],
  ['3..1', null],
  ['a', null],
  ['', null],
])('reads the component %s', (text, values) => {
  expect(componentOf(text, 0, 23)).toEqual(values);
});

it('never throws, whatever the text', () => {
  fc.assert(
    fc.property(fc.string(), (text) => {
      parseCalendarEvent(text);
    }),
  );
});
