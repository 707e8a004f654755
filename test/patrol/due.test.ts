import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createDue, type Timetable } from '../../src/patrol/due.ts';
import { createRunQueue, MAX_QUEUED } from '../../src/patrol/queue.ts';
import { createRunStore } from '../../src/patrol/run-store.ts';
import { parseCron } from '../../src/patrol/schedule.ts';
import { openDatabase } from '../../src/runtime/database.ts';
import { createLogger } from '../../src/runtime/logger.ts';
import { temporaryDirectory } from '../support/temporary-directory.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
let made = 0;

const open = (timetable: Timetable) => {
  made += 1;
  const db = openDatabase({ path: join(temporaryDirectory(), `due-${made}.db`) });
  let ids = 0;
  const queue = createRunQueue(db, () => `q${String(++ids).padStart(4, '0')}`);
  const runs = createRunStore(db);
  const retry = { atMs: null as number | null };
  const due = createDue({
    logger: createLogger({ level: 'silent', clock: { nowMs: () => 0 } }),
    queue,
    runs,
    timetable: () => timetable,
    retryAtMs: () => retry.atMs,
  });
  /** What was asked for since the last look, each as `kind trigger`. */
  const asked = (): string[] => {
    const found: string[] = [];
    for (let next = queue.claim('r'); next !== null; next = queue.claim('r')) {
      found.push(`${next.kind} ${next.trigger}`);
      queue.finish(next, 'done', null);
    }
    return found;
  };
  const good = (atMs: number): void => {
    runs.begin({ id: `run${atMs}`, requestId: 'x', kind: 'patrol', trigger: 'schedule', scope: null }, atMs);
    runs.end(`run${atMs}`, {
      state: 'completed',
      status: 'healthy',
      reason: null,
      durationMs: 1,
      coverage: null,
      report: null,
    });
  };
  /** Looks every second, as the daemon does. */
  const tick = (fromMs: number, untilMs: number): string[] => {
    const found: string[] = [];
    for (let at = fromMs; at <= untilMs; at += 1_000) {
      due.ask(at);
      found.push(...asked());
    }
    return found;
  };
  return { due, asked, good, tick, retry, queue };
};

const everySix = (zone = 'UTC'): Timetable => ({ patrol: parseCron('0 */6 * * *', zone), watchEveryMs: null });
const START_MS = Date.UTC(2026, 2, 2, 1, 30);

test('a first start patrols at once', () => {
  const { due, asked } = open(everySix());
  due.start(START_MS);
  expect(asked()).toEqual(['patrol catch_up']);
});

test('a patrol that was missed while nobody was there is caught up, one that was not is not', () => {
  const missed = open(everySix());
  missed.good(START_MS - 7 * HOUR_MS);
  missed.due.start(START_MS);
  expect(missed.asked()).toEqual(['patrol catch_up']);
  const recent = open(everySix());
  recent.good(START_MS - HOUR_MS);
  recent.due.start(START_MS);
  expect(recent.asked()).toEqual([]);
});

test('with a recent patrol a start looks with a watch, where watches are on', () => {
  const { due, asked, good } = open({ patrol: parseCron('0 */6 * * *', 'UTC'), watchEveryMs: 300_000 });
  good(START_MS - HOUR_MS);
  due.start(START_MS);
  expect(asked()).toEqual(['watch catch_up']);
});

test('a scheduled patrol comes once', () => {
  const { due, good, tick } = open(everySix());
  good(START_MS);
  const from = Date.UTC(2026, 2, 2, 5, 59, 30);
  due.start(from);
  expect(tick(from, from + 90_000)).toEqual(['patrol schedule']);
});

test.each([
  ['the clock is set forward by a day', DAY_MS],
  ['the machine slept for nine hours', 9 * HOUR_MS],
])('when %s, the missed patrol is caught up once', (_what, byMs) => {
  const { due, good, tick } = open(everySix());
  good(START_MS);
  due.start(START_MS);
  tick(START_MS, START_MS + 5_000);
  expect(tick(START_MS + byMs, START_MS + byMs + 5_000)).toEqual(['patrol catch_up']);
});

test('when the clock is set back by a day, nothing runs twice and the next patrol still comes', () => {
  const { due, good, tick } = open(everySix());
  good(START_MS);
  due.start(START_MS);
  tick(START_MS, START_MS + 5_000);
  const back = START_MS - DAY_MS;
  expect(tick(back, back + 5_000)).toEqual([]);
  const next = Date.UTC(2026, 2, 1, 5, 59, 58);
  due.resume(next);
  expect(tick(next, next + 5_000)).toEqual(['patrol schedule']);
});

test('on the night the clocks change a patrol at half past two comes exactly once', () => {
  for (const [from, hours] of [
    [Date.UTC(2026, 2, 28, 23), 6],
    [Date.UTC(2026, 9, 24, 22), 6],
  ] as const) {
    const { due, good } = open({ patrol: parseCron('30 2 * * *', 'Europe/Vienna'), watchEveryMs: null });
    good(from);
    due.start(from);
    let count = 0;
    for (let at = from; at <= from + hours * HOUR_MS; at += 30_000) {
      const before = due.next.patrolAtMs;
      due.ask(at);
      if (before !== null && due.next.patrolAtMs !== before) count += 1;
    }
    expect(count).toBe(1);
  }
});

test('a window that has filled is looked at again before the next watch', () => {
  const { due, good, tick, retry } = open({ patrol: null, watchEveryMs: 300_000 });
  good(START_MS);
  due.start(START_MS);
  tick(START_MS, START_MS + 1_000);
  retry.atMs = START_MS + 60_000;
  expect(tick(START_MS + 2_000, START_MS + 59_000)).toEqual([]);
  expect(tick(START_MS + 60_000, START_MS + 60_000)).toEqual(['watch warm_up']);
});

test('a reload finds the times anew', () => {
  const { due } = open(everySix());
  due.start(START_MS);
  due.retime(START_MS + HOUR_MS);
  expect(due.next.patrolAtMs).toBe(Date.UTC(2026, 2, 2, 6));
});

test('what can not be judged although its window has filled is asked for once a minute, not at every look', () => {
  const { due, good, tick, retry } = open({ patrol: null, watchEveryMs: 3_600_000 });
  good(START_MS);
  due.start(START_MS);
  tick(START_MS, START_MS + 1_000);
  retry.atMs = START_MS;
  expect(tick(START_MS + 2_000, START_MS + 300_000)).toHaveLength(5);
});

test('a full queue is no failure: what is due stays due until there is room', () => {
  const { due, good, queue, asked, tick } = open(everySix());
  good(START_MS);
  const at = Date.UTC(2026, 2, 2, 5, 59, 59);
  due.start(at);
  asked();
  const flood = (index: number) => ({ ids: [`r${index}`], kinds: [], sources: [], tags: [] });
  for (let index = 0; index < MAX_QUEUED; index += 1)
    queue.add({ kind: 'watch', trigger: 'manual', scope: flood(index) }, at);
  due.ask(at + 1_000);
  expect(asked()).toEqual(new Array(MAX_QUEUED).fill('watch manual'));
  expect(tick(at + 2_000, at + 4_000)).toEqual(['patrol schedule']);
});

test('without schedules nothing is ever due', () => {
  const { due, tick } = open({ patrol: null, watchEveryMs: null });
  due.start(START_MS);
  expect(tick(START_MS, START_MS + 60_000)).toEqual([]);
  expect(due.next).toEqual({ patrolAtMs: null, watchAtMs: null });
});
