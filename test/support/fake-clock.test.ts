import { expect, test } from 'vitest';
import { createFakeClock } from './fake-clock.ts';

const { signal } = new AbortController();

test('time stands still until it is advanced', async () => {
  const clock = createFakeClock(1_000);
  expect([clock.nowMs(), clock.monotonicMs()]).toEqual([1_000, 0]);
  await clock.advance(250);
  expect([clock.nowMs(), clock.monotonicMs()]).toEqual([1_250, 250]);
});

test('sleepers wake in order, each at its own instant, also those that fall asleep meanwhile', async () => {
  const clock = createFakeClock(0);
  const woken: [string, number][] = [];
  const sleeper = async (name: string, ms: number): Promise<void> => {
    await clock.sleep(ms, signal);
    woken.push([name, clock.nowMs()]);
  };
  const all = Promise.all([sleeper('late', 300), sleeper('early', 100).then(() => sleeper('again', 100))]);
  await clock.advance(400);
  await all;
  expect(woken).toEqual([
    ['early', 100],
    ['again', 200],
    ['late', 300],
  ]);
  expect(clock.sleeping()).toBe(0);
});

test('a jump of the wall clock wakes nobody', async () => {
  const clock = createFakeClock(0);
  const sleeping = clock.sleep(100, signal);
  clock.setWallClock(1_000_000);
  expect([clock.nowMs(), clock.monotonicMs(), clock.sleeping()]).toEqual([1_000_000, 0, 1]);
  await clock.advance(100);
  await sleeping;
});

test('an abort ends a sleep with its reason', async () => {
  const clock = createFakeClock(0);
  const controller = new AbortController();
  const sleeping = clock.sleep(100, controller.signal);
  controller.abort('enough');
  await expect(sleeping).rejects.toBe('enough');
  await expect(clock.sleep(100, controller.signal)).rejects.toBe('enough');
  expect(clock.sleeping()).toBe(0);
});
