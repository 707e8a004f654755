import { expect, test } from 'vitest';
import { systemClock } from '../../src/runtime/clock.ts';

test('the system clock tells epoch milliseconds, and durations that only grow', () => {
  const before = systemClock.monotonicMs();
  expect(Math.abs(systemClock.nowMs() - Date.now())).toBeLessThan(1_000);
  expect(systemClock.monotonicMs()).toBeGreaterThanOrEqual(before);
});

test('a sleep lasts as long as asked', async () => {
  const before = systemClock.monotonicMs();
  await systemClock.sleep(20, new AbortController().signal);
  expect(systemClock.monotonicMs() - before).toBeGreaterThanOrEqual(19);
});

test('a sleep of nothing or less is over at once', async () => {
  const { signal } = new AbortController();
  await systemClock.sleep(0, signal);
  await systemClock.sleep(-5, signal);
});

test('a sleep longer than a timer of Node can hold does not end at once', async () => {
  const controller = new AbortController();
  const outcome = systemClock.sleep(2 ** 40, controller.signal).then(
    () => 'slept',
    (reason: unknown) => reason,
  );
  await systemClock.sleep(20, new AbortController().signal);
  controller.abort('stopped');
  expect(await outcome).toBe('stopped');
});

test('a sleep rejects with the reason of the abort, before and while sleeping', async () => {
  const reason = new Error('shutting down');
  await expect(systemClock.sleep(1_000, AbortSignal.abort(reason))).rejects.toBe(reason);
  const controller = new AbortController();
  const sleeping = systemClock.sleep(60_000, controller.signal);
  controller.abort(reason);
  await expect(sleeping).rejects.toBe(reason);
});
