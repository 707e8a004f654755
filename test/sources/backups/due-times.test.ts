import { execFileSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { type CommandRunner, createCommandRunner } from '../../../src/runtime/command.ts';
import { nextTimes, parseTimes } from '../../../src/sources/backups/calendar.ts';
import { byPeriod, dueTimes } from '../../../src/sources/backups/due-times.ts';
import type { Timer } from '../../../src/sources/backups/timer.ts';

const DAY_MS = 86_400_000;
const at = (text: string): number => Date.parse(text);
const signal = AbortSignal.timeout(30_000);
const nothing: CommandRunner = { run: async () => ({ kind: 'not_found' }) };
const timer = (more: Partial<Timer> = {}): Timer => ({
  name: 'b.timer',
  isActive: true,
  calendars: ['*-*-* 02:30:00 UTC'],
  intervalMs: null,
  randomDelayMs: 0,
  nextAtMs: at('2026-06-16T02:30:00Z'),
  lastAtMs: at('2026-06-15T02:30:00Z'),
  ...more,
});
const question = (more: Partial<Parameters<typeof dueTimes>[0]> = {}) => ({
  afterMs: at('2026-06-15T02:30:05Z'),
  everyMs: null,
  timer: null,
  usualDurationMs: null,
  ...more,
});

const hasAnalyze = ((): boolean => {
  try {
    execFileSync('systemd-analyze', ['calendar', 'daily'], { stdio: 'ignore', timeout: 10_000 });
    return true;
  } catch {
    return false;
  }
})();

describe('dueTimes', () => {
  it('goes by what the operator says first', async () => {
    expect(await dueTimes(question({ everyMs: DAY_MS, timer: timer() }), nothing, signal)).toEqual({
      description: 'every 1 d',
      dueAtMs: [at('2026-06-16T02:30:05Z'), at('2026-06-17T02:30:05Z')],
      usualDurationMs: null,
    });
  });

  it('knows nothing without an interval and a timer that fires', async () => {
    expect(await dueTimes(question(), nothing, signal)).toBeNull();
    expect(await dueTimes(question({ timer: timer({ isActive: false }) }), nothing, signal)).toBeNull();
  });

  it('goes by the interval of a timer that has one', async () => {
    const schedule = await dueTimes(
      question({ timer: timer({ calendars: [], intervalMs: 6 * 3_600_000, nextAtMs: null }), usualDurationMs: 60_000 }),
      nothing,
      signal,
    );
    expect(schedule).toEqual({
      description: 'every 6 h (b.timer)',
      dueAtMs: [at('2026-06-15T08:30:05Z'), at('2026-06-15T14:30:05Z')],
      usualDurationMs: 60_000,
    });
  });

  it('reckons by the period where systemd can not be asked, and stays with the first event that was missed', async () => {
    const missed = await dueTimes(question({ afterMs: at('2026-06-12T02:30:05Z'), timer: timer() }), nothing, signal);
    expect(missed?.dueAtMs).toEqual([at('2026-06-13T02:30:00Z'), at('2026-06-14T02:30:00Z')]);
    expect(byPeriod(timer(), at('2026-06-15T02:30:00Z'))).toEqual([
      at('2026-06-16T02:30:00Z'),
      at('2026-06-17T02:30:00Z'),
    ]);
    expect(byPeriod(timer(), at('2026-06-15T02:29:59Z'))).toEqual([
      at('2026-06-15T02:30:00Z'),
      at('2026-06-16T02:30:00Z'),
    ]);
    expect(byPeriod(timer({ lastAtMs: null }), 0)).toBeNull();
  });
});

describe.skipIf(!hasAnalyze)('dueTimes with the real systemd-analyze (needs systemd)', () => {
  const commands = createCommandRunner();

  it('takes the two events after the last good one, with the delay that the timer may add', async () => {
    const schedule = await dueTimes(question({ timer: timer({ randomDelayMs: 3_600_000 }) }), commands, signal);
    expect(schedule).toEqual({
      description: '*-*-* 02:30:00 UTC (b.timer)',
      dueAtMs: [at('2026-06-16T03:30:00Z'), at('2026-06-17T03:30:00Z')],
      usualDurationMs: null,
    });
  });

  it('joins several calendars', async () => {
    const both = timer({ calendars: ['*-*-* 02:30:00 UTC', '*-*-* 14:30:00 UTC'] });
    expect((await dueTimes(question({ timer: both }), commands, signal))?.dueAtMs).toEqual([
      at('2026-06-15T14:30:00Z'),
      at('2026-06-16T02:30:00Z'),
    ]);
  });

  it('follows weekdays and the change of the clock', async () => {
    expect(await nextTimes('Mon..Fri 02:30 Europe/Vienna', at('2026-03-27T12:00:00Z'), commands, signal)).toEqual([
      at('2026-03-30T00:30:00Z'),
      at('2026-03-31T00:30:00Z'),
    ]);
    expect(await nextTimes('2020-01-01', at('2026-03-27T12:00:00Z'), commands, signal)).toEqual([]);
  });

  it('does not make up times of what is no calendar', async () => {
    expect(await nextTimes('garbage', 0, commands, signal)).toBeNull();
  });
});

describe('parseTimes', () => {
  it('takes the time in UTC where the machine lives in another zone', () => {
    const text = `  Original form: daily
Normalized form: *-*-* 00:00:00
    Next elapse: Tue 2026-12-01 00:00:00 CET
       (in UTC): Mon 2026-11-30 23:00:00 UTC
       From now: 6h ago
   Iteration #2: Wed 2026-12-02 00:00:00 CET
       (in UTC): Tue 2026-12-01 23:00:00 UTC
       From now: 17h left
`;
    expect(parseTimes(text)).toEqual([at('2026-11-30T23:00:00Z'), at('2026-12-01T23:00:00Z')]);
    expect(parseTimes(text.replace('(in UTC)', '(elsewhere)'))).toBeNull();
  });
});
