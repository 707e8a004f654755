import { describe, expect, it } from 'vitest';
import { parseShow } from '../../../src/sources/backups/show-output.ts';
import { readTimer, timerNameOf } from '../../../src/sources/backups/timer.ts';

const DAILY = `Id=restic-backup.timer
LoadState=loaded
ActiveState=active
UnitFileState=enabled
NextElapseUSecRealtime=Tue 2026-06-16 00:30:00 UTC
LastTriggerUSec=Mon 2026-06-15 00:30:04 UTC
TimersMonotonic=
TimersCalendar={ OnCalendar=*-*-* 02:30:00 ; next_elapse=Tue 2026-06-16 00:30:00 UTC }
RandomizedDelayUSec=1h
`;

describe('readTimer', () => {
  it('reads a timer with a calendar', () => {
    expect(readTimer('restic-backup.timer', parseShow(DAILY))).toEqual({
      name: 'restic-backup.timer',
      isActive: true,
      calendars: ['*-*-* 02:30:00'],
      intervalMs: null,
      randomDelayMs: 3_600_000,
      nextAtMs: Date.parse('2026-06-16T00:30:00Z'),
      lastAtMs: Date.parse('2026-06-15T00:30:04Z'),
    });
  });

  it('reads a timer that goes by intervals', () => {
    const text = DAILY.replace(
      'TimersMonotonic=',
      'TimersMonotonic={ OnBootUSec=15min ; next_elapse=15min }\nTimersMonotonic={ OnUnitActiveUSec=1d ; next_elapse=2d 3h }',
    )
      .replace(/TimersCalendar.*\n/, '')
      .replace(/NextElapse.*/, 'NextElapseUSecRealtime=');
    expect(readTimer('a.timer', parseShow(text))).toMatchObject({
      calendars: [],
      intervalMs: 86_400_000,
      nextAtMs: null,
    });
  });

  it('says that a stopped timer will not fire', () => {
    const stopped = DAILY.replace('ActiveState=active', 'ActiveState=inactive').replace('enabled', 'disabled');
    expect(readTimer('a.timer', parseShow(stopped))).toMatchObject({ isActive: false });
    const masked = DAILY.replace('LoadState=loaded', 'LoadState=masked').replace(
      'ActiveState=active',
      'ActiveState=inactive',
    );
    expect(readTimer('a.timer', parseShow(masked))).toMatchObject({ isActive: false });
  });

  it('knows that there is none', () => {
    expect(readTimer('a.timer', parseShow('Id=a.timer\nLoadState=not-found\nActiveState=inactive\n'))).toBeNull();
    expect(readTimer('a.timer', parseShow(''))).toBeNull();
  });
});

describe('timerNameOf', () => {
  it.each([
    ['restic-backup.service', '', 'restic-backup.timer'],
    ['restic@home.service', '', 'restic@home.timer'],
    ['dump.service', 'dump.path nightly.timer', 'nightly.timer'],
    ['dump.v2.service', '', 'dump.v2.timer'],
  ])('finds the timer of %s, triggered by "%s"', (service, triggeredBy, timer) => {
    expect(timerNameOf(service, parseShow(`TriggeredBy=${triggeredBy}`))).toBe(timer);
  });
});
