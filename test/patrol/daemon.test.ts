import { expect, test } from 'vitest';
import { createDaemon, TICK_MS } from '../../src/patrol/daemon.ts';
import type { Due } from '../../src/patrol/due.ts';
import type { Lease } from '../../src/patrol/lease.ts';
import type { Worker } from '../../src/patrol/worker.ts';
import { createLogger } from '../../src/runtime/logger.ts';
import { createFakeClock } from '../support/fake-clock.ts';

const DAY_MS = 86_400_000;

/** A daemon whose parts note what they are asked, and do what the test says. */
const open = () => {
  const clock = createFakeClock();
  const calls: string[] = [];
  const say = { acquires: true, beats: true, waiting: 0, fails: '', more: 0 };
  const note = (call: string): void => {
    calls.push(call);
    if (say.fails === call) throw new Error(`${call} failed`);
  };
  const due: Due = {
    start: () => note('start'),
    ask: () => note('ask'),
    resume: () => undefined,
    retime: () => undefined,
    next: { patrolAtMs: null, watchAtMs: null },
  };
  const lease: Lease = {
    acquire: () => say.acquires,
    heartbeat: () => say.beats,
    release: () => note('release'),
    holder: () => null,
  };
  const worker: Worker = {
    recover: () => note('recover'),
    next: async () => {
      if (say.waiting === 0) return null;
      say.waiting -= 1;
      note('run');
      return {} as Awaited<ReturnType<Worker['next']>>;
    },
  };
  let ticks = 0;
  const daemon = createDaemon({
    clock,
    logger: createLogger({ level: 'silent', clock }),
    lease,
    worker,
    due,
    upkeep: () => {
      note('upkeep');
      say.more -= 1;
      return say.more >= 0;
    },
    onTick: () => {
      ticks += 1;
    },
  });
  const stop = new AbortController();
  const begin = () => daemon.run(stop.signal, new AbortController().signal);
  const count = (call: string): number => calls.filter((one) => one === call).length;
  return { clock, calls, say, daemon, stop, begin, count, ticks: () => ticks };
};

test('it starts, takes the lease, puts right what was left, runs what waits, and lets go at the end', async () => {
  const house = open();
  house.say.waiting = 3;
  const running = house.begin();
  await house.clock.advance(TICK_MS);
  expect(house.calls.filter((call) => call !== 'ask')).toEqual(['start', 'recover', 'run', 'run', 'run']);
  expect(house.daemon.holdsLease).toBe(true);
  house.stop.abort();
  await running;
  expect(house.calls.at(-1)).toBe('release');
  expect(house.clock.sleeping()).toBe(0);
});

test('without the lease it asks for nothing and runs nothing, and goes on when it gets it', async () => {
  const house = open();
  house.say.acquires = false;
  house.say.waiting = 1;
  const running = house.begin();
  await house.clock.advance(10 * TICK_MS);
  expect(house.calls).toEqual(['start']);
  house.say.acquires = true;
  await house.clock.advance(2 * TICK_MS);
  expect(house.count('run')).toBe(1);
  house.stop.abort();
  await running;
});

test('a lease that is lost stops the work until it is taken again', async () => {
  const house = open();
  const running = house.begin();
  await house.clock.advance(TICK_MS);
  house.say.beats = false;
  house.say.acquires = false;
  await house.clock.advance(10 * TICK_MS);
  expect(house.daemon.holdsLease).toBe(false);
  const asked = house.count('ask');
  await house.clock.advance(10 * TICK_MS);
  expect(house.count('ask')).toBe(asked);
  house.say.beats = true;
  house.say.acquires = true;
  await house.clock.advance(2 * TICK_MS);
  expect(house.daemon.holdsLease).toBe(true);
  expect(house.count('recover')).toBe(2);
  house.stop.abort();
  await running;
});

test.each(['start', 'recover', 'ask', 'run', 'upkeep'])(
  'when "%s" fails the daemon stays, says no tick was well, and goes on when it works again',
  async (part) => {
    const house = open();
    house.say.fails = part;
    house.say.waiting = 1_000;
    const running = house.begin();
    await house.clock.advance(part === 'upkeep' ? 70 * TICK_MS : 5 * TICK_MS);
    house.say.fails = '';
    house.say.waiting = 1;
    const before = house.ticks();
    await house.clock.advance(3 * TICK_MS);
    expect(house.ticks()).toBeGreaterThanOrEqual(before + 2);
    expect(house.say.waiting).toBe(0);
    house.stop.abort();
    await running;
  },
);

test('after a tick that failed, what it could not finish is put right before anything else is run', async () => {
  const house = open();
  house.say.fails = 'run';
  house.say.waiting = 1;
  const running = house.begin();
  await house.clock.advance(TICK_MS);
  house.say.fails = '';
  house.say.waiting = 1;
  await house.clock.advance(2 * TICK_MS);
  expect(house.calls.filter((call) => call === 'run' || call === 'recover')).toEqual([
    'recover',
    'run',
    'recover',
    'run',
  ]);
  house.stop.abort();
  await running;
});

test('upkeep that has more to do comes again soon, until it is done', async () => {
  const house = open();
  house.say.more = 3;
  const running = house.begin();
  await house.clock.advance(62 * TICK_MS);
  expect(house.count('upkeep')).toBe(1);
  await house.clock.advance(100 * TICK_MS);
  expect(house.count('upkeep')).toBe(4);
  house.stop.abort();
  await running;
});

test('upkeep comes soon after the start and then daily, also over a clock that is set', async () => {
  const house = open();
  const running = house.begin();
  await house.clock.advance(59 * TICK_MS);
  expect(house.count('upkeep')).toBe(0);
  await house.clock.advance(2 * TICK_MS);
  expect(house.count('upkeep')).toBe(1);
  house.clock.setWallClock(house.clock.nowMs() + DAY_MS);
  await house.clock.advance(2 * TICK_MS);
  expect(house.count('upkeep')).toBe(2);
  house.stop.abort();
  await running;
});
