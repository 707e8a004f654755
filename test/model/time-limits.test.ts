import { expect, test } from 'vitest';
import { watchAnswer, watchTotal } from '../../src/model/time-limits.ts';
import { createFakeClock } from '../support/fake-clock.ts';

const LIMITS = { firstTokenMs: 120_000, idleMs: 30_000, totalMs: 600_000 };
const at = (signal: AbortSignal): unknown =>
  signal.aborted ? (signal.reason.details as { limit: string }).limit : null;

test('the first piece has its own limit, to the millisecond', async () => {
  const clock = createFakeClock();
  const { signal } = watchAnswer(clock, LIMITS, 'http://model');
  await clock.advance(119_999);
  expect(at(signal)).toBeNull();
  await clock.advance(1);
  expect(at(signal)).toBe('firstTokenMs');
});

test('after it silence counts, and each piece starts it anew', async () => {
  const clock = createFakeClock();
  const { signal, touch } = watchAnswer(clock, LIMITS, 'http://model');
  await clock.advance(1_000);
  for (let count = 0; count < 10; count += 1) {
    touch(true);
    await clock.advance(29_999);
    expect(at(signal)).toBeNull();
  }
  await clock.advance(1);
  expect(at(signal)).toBe('idleMs');
});

test('a sign of life keeps an answer alive, and does not stand for its beginning', async () => {
  const clock = createFakeClock();
  const waiting = watchAnswer(clock, LIMITS, 'http://model');
  for (let count = 0; count < 12; count += 1) {
    await clock.advance(10_000);
    waiting.touch(false);
  }
  expect(at(waiting.signal)).toBe('firstTokenMs');
  const begun = watchAnswer(clock, LIMITS, 'http://model');
  begun.touch(true);
  for (let count = 0; count < 12; count += 1) {
    await clock.advance(10_000);
    begun.touch(false);
  }
  expect(at(begun.signal)).toBeNull();
});

test('what was stopped never aborts, and leaves no sleeper', async () => {
  const clock = createFakeClock();
  const answer = watchAnswer(clock, LIMITS, 'http://model');
  const total = watchTotal(clock, LIMITS, 'http://model');
  answer.stop();
  total.stop();
  await clock.advance(1_000_000);
  expect([answer.signal.aborted, total.signal.aborted, clock.sleeping()]).toEqual([false, false, 0]);
});

test('the whole turn has one', async () => {
  const clock = createFakeClock();
  const { signal } = watchTotal(clock, LIMITS, 'http://model');
  await clock.advance(600_000);
  expect(at(signal)).toBe('totalMs');
});
