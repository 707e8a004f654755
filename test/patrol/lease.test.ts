import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createLease, LEASE_EXPIRES_MS } from '../../src/patrol/lease.ts';
import { openDatabase } from '../../src/runtime/database.ts';
import { temporaryDirectory } from '../support/temporary-directory.ts';

let count = 0;

const open = (alive: boolean | null = null) => {
  count += 1;
  const db = openDatabase({ path: join(temporaryDirectory(), `lease-${count}.db`) });
  const identity = (self: string) => ({ self, isAlive: () => alive });
  return { a: createLease(db, 'a', identity('process a')), b: createLease(db, 'b', identity('process b')) };
};

test('one holder at a time, until it lets go', () => {
  const { a, b } = open();
  expect([a.acquire(0), b.acquire(1), a.acquire(2)]).toEqual([true, false, true]);
  a.release();
  expect(b.acquire(3)).toBe(true);
});

test('a holder that surely died is followed at once', () => {
  const { a, b } = open(false);
  a.acquire(0);
  expect(b.acquire(1)).toBe(true);
  expect(a.heartbeat(2)).toBe(false);
});

test('a holder of which nothing is known is followed when its heartbeats have stopped for long enough', () => {
  const { a, b } = open();
  a.acquire(0);
  a.heartbeat(1_000);
  expect(b.acquire(1_000 + LEASE_EXPIRES_MS)).toBe(false);
  expect(b.acquire(1_001 + LEASE_EXPIRES_MS)).toBe(true);
});

test('a clock that was set back by a day does not make a dead holder immortal', () => {
  const { a, b } = open();
  a.acquire(86_400_000);
  expect(b.acquire(0)).toBe(true);
});

test('who holds it is told as long as he may live', () => {
  const { a, b } = open();
  expect(b.holder(0)).toBeNull();
  a.acquire(0);
  expect(b.holder(1)).toBe('a');
  expect(b.holder(LEASE_EXPIRES_MS + 1)).toBeNull();
});
