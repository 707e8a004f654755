/** Proxmox took its calendar events from systemd: where both understand a text, systemd itself says when it comes. */
import { spawnSync } from 'node:child_process';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { parseTimes } from '../../../../src/sources/backups/calendar.ts';
import { parseCalendarEvent } from '../../../../src/sources/proxmox/calendar-event/calendar-event.ts';
import { createEventReckoner } from '../../../../src/sources/proxmox/calendar-event/next-events.ts';
import { works } from '../../../support/real-program.ts';

const isThere = works('systemd-analyze', 'calendar', 'daily');
const COUNT = 3;

/** Null: it does not understand the text; its steps and ranges want more than one value, for instance. */
const bySystemd = (text: string, zone: string, afterMs: number): readonly number[] | null => {
  const args = ['calendar', `--base-time=@${afterMs / 1000}`, `--iterations=${COUNT}`, '--', `${text} ${zone}`];
  const { status, stdout } = spawnSync('systemd-analyze', args, { encoding: 'utf8', env: { TZ: 'UTC', LC_ALL: 'C' } });
  return status === 0 ? parseTimes(stdout) : null;
};

/** As Proxmox has it, and as systemd does: that knows no star with a step, and none that goes over the end. */
type Both = readonly [ours: string, theirs: string];
const same = (text: string): Both => [text, text];
const joined = (parts: readonly Both[], by: string): Both => [
  parts.map(([ours]) => ours).join(by),
  parts.map(([, theirs]) => theirs).join(by),
];

/**
 * A step without an end goes over the end of a month in systemd, and the first day of the next is passed over: told where
 * to end (`last`), it is not.
 */
const component = (least: number, most: number, last = most): fc.Arbitrary<Both> => {
  const value = fc.integer({ min: least, max: most });
  const early = fc.integer({ min: least, max: Math.floor((least + most) / 2) });
  const step = fc.integer({ min: 1, max: Math.floor((most - least) / 2) });
  const range = fc.tuple(value, value).map(([a, b]) => `${Math.min(a, b)}..${Math.max(a, b)}`);
  const part = fc.oneof(
    value.map((a) => same(String(a))),
    range.map(same),
    fc.tuple(early, step).map(([a, by]): Both => [`${a}/${by}`, `${a}..${last}/${by}`]),
    fc.tuple(early, step, fc.integer({ min: 0, max: 9 })).map(([a, by, more]) => {
      return same(`${a}..${Math.min(most, a + by + more)}/${by}`);
    }),
  );
  return fc.oneof(
    fc.constant(same('*')),
    step.map((by): Both => [`*/${by}`, `${least}..${last}/${by}`]),
    fc.array(part, { minLength: 1, maxLength: 3 }).map((list) => joined(list, ',')),
  );
};

const weekday = fc.constantFrom('mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun', 'mon..fri', 'sat..sun');
const weekdays = fc.uniqueArray(weekday, { minLength: 1, maxLength: 3 }).map((list) => same(list.join(',')));
const date = fc.tuple(component(1, 12), component(1, 28, 31)).map((parts) => joined([same('*'), ...parts], '-'));
/** Not in the small hours in which clocks change: an event that is skipped there comes later here, and not at all with systemd. */
const dayHour = fc.oneof(
  fc.integer({ min: 4, max: 23 }).map(String),
  fc.tuple(fc.integer({ min: 4, max: 12 }), fc.integer({ min: 13, max: 23 })).map(([a, b]) => `${a}..${b}`),
);
const time = fc.tuple(dayHour.map(same), component(0, 59), component(0, 59)).map((parts) => joined(parts, ':'));
const NOTHING = same('');
const text = fc.tuple(fc.option(weekdays, { nil: NOTHING }), fc.option(date, { nil: NOTHING }), time).map((words) =>
  joined(
    words.filter((word) => word !== NOTHING),
    ' ',
  ),
);

const ZONES = ['UTC', 'Europe/Vienna', 'America/New_York', 'Asia/Kolkata', 'Australia/Lord_Howe'];
const NAMES = ['minutely', 'hourly', 'daily', 'weekly', 'monthly', 'yearly', 'quarterly', 'semiannually'];

it.skipIf(!isThere)(
  `comes when systemd says${isThere ? '' : ' (skipped: systemd-analyze is not installed)'}`,
  () => {
    const reckoner = createEventReckoner();
    const anyText = fc.oneof({ weight: 9, arbitrary: text }, fc.constantFrom(...NAMES).map(same));
    const after = fc.integer({ min: 1_700_000_000, max: 2_000_000_000 }).map((seconds) => seconds * 1000);
    fc.assert(
      fc.property(anyText, fc.constantFrom(...ZONES), after, ([written, theirText], zone, afterMs) => {
        // Names are taken at any hour, so in a zone whose clock stands still.
        const where = NAMES.includes(written) ? 'UTC' : zone;
        const event = parseCalendarEvent(written);
        expect(event).not.toBeNull();
        const ours = event === null ? null : reckoner.nextEvents(event, afterMs, where, COUNT);
        const theirs = bySystemd(theirText, where, afterMs);
        fc.pre(theirs !== null);
        expect(ours ?? []).toEqual(theirs?.length === COUNT ? theirs : []);
      }),
      { numRuns: 150 },
    );
  },
  60_000,
);
