import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createZonedClock } from '../../../src/sources/backups/zoned-instant.ts';

const at = (text: string, zone: string): string | null => {
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = text.split(/\D/).map(Number);
  const ms = createZonedClock(zone).instantMs({ year, month, day, hour, minute, second });
  return ms === null ? null : new Date(ms).toISOString();
};

describe('createZonedClock', () => {
  it.each([
    ['2026-01-15 03:00:00', 'Europe/Vienna', '2026-01-15T02:00:00.000Z'],
    ['2026-07-15 03:00:00', 'Europe/Vienna', '2026-07-15T01:00:00.000Z'],
    ['2026-03-29 03:00:00', 'Europe/Vienna', '2026-03-29T01:00:00.000Z'],
    ['2026-10-25 03:00:00', 'Europe/Vienna', '2026-10-25T02:00:00.000Z'],
    ['2026-07-15 00:00:00', 'America/New_York', '2026-07-15T04:00:00.000Z'],
    ['2026-01-15 12:00:00', 'Asia/Kathmandu', '2026-01-15T06:15:00.000Z'],
    ['2026-01-15 12:00:00', 'UTC', '2026-01-15T12:00:00.000Z'],
  ])('reads %s in %s', (text, zone, instant) => {
    expect(at(text, zone)).toBe(instant);
  });

  it.each([
    '2026-02-31 00:00:00',
    '2026-13-01 00:00:00',
    '2026-01-01 24:00:00',
    '2026-01-01 00:60:00',
    '0000-00-00 00:00:00',
  ])('knows that there is no %s', (text) => {
    expect(at(text, 'UTC')).toBeNull();
  });

  it('is the inverse of what a clock shows, outside the hours of a change', () => {
    const zone = fc.constantFrom('Europe/Vienna', 'America/New_York', 'Asia/Kathmandu', 'Australia/Lord_Howe', 'UTC');
    fc.assert(
      fc.property(fc.integer({ min: Date.UTC(2000, 0), max: Date.UTC(2040, 0) }), zone, (ms, timeZone) => {
        const wholeMs = Math.floor(ms / 1_000) * 1_000;
        const shown = new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short', timeStyle: 'medium' }).format(
          wholeMs,
        );
        const back = at(shown, timeZone);
        // In the hour that comes twice either instant is right.
        expect(Math.abs(Date.parse(back ?? '') - wholeMs)).toBeLessThanOrEqual(3_600_000);
        const twice = new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short', timeStyle: 'medium' }).format(
          Date.parse(back ?? ''),
        );
        expect(twice).toBe(shown);
      }),
      { numRuns: 500 },
    );
  });
});
