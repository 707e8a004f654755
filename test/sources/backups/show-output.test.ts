import { describe, expect, it } from 'vitest';
import { parseShow, parseTimestamp } from '../../../src/sources/backups/show-output.ts';

describe('parseTimestamp', () => {
  it.each([
    ['Thu 2026-08-27 03:35:00 UTC', '2026-08-27T03:35:00.000Z'],
    ['Thu 2026-08-27 03:35:00.123456 UTC', '2026-08-27T03:35:00.123Z'],
    ['@1791459000', '2026-10-08T11:30:00.000Z'],
  ])('reads %s', (text, instant) => {
    expect(new Date(parseTimestamp(text) ?? 0).toISOString()).toBe(instant);
  });

  it.each(['', 'n/a', '0', 'Thu 2026-08-27 03:35:00 CEST', 'infinity'])('takes %j for never', (text) => {
    expect(parseTimestamp(text)).toBeNull();
  });
});

describe('parseShow', () => {
  it('keeps properties that are printed several times, and values with equals signs', () => {
    const unit = parseShow(
      'Id=a.timer\nTimersCalendar={ OnCalendar=a ; }\nTimersCalendar={ OnCalendar=b ; }\nnonsense\n\n',
    );
    expect(unit.get('Id')).toBe('a.timer');
    expect(unit.all('TimersCalendar')).toEqual(['{ OnCalendar=a ; }', '{ OnCalendar=b ; }']);
    expect(unit.get('Missing')).toBe('');
    expect(unit.all('Missing')).toEqual([]);
  });
});
