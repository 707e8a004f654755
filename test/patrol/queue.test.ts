import { join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { createRunQueue, MAX_QUEUED, type RunQueue } from '../../src/patrol/queue.ts';
import { type Database, openDatabase } from '../../src/runtime/database.ts';
import { temporaryDirectory } from '../support/temporary-directory.ts';

let db: Database;
let queue: RunQueue;
let count = 0;
let made = 0;

beforeEach(() => {
  count += 1;
  db = openDatabase({ path: join(temporaryDirectory(), `queue-${count}.db`) });
  queue = createRunQueue(db, () => {
    made += 1;
    return `id-${String(made).padStart(6, '0')}`;
  });
  return () => db.close();
});

const scoped = (id: string) => ({ ids: [id], kinds: [], sources: [], tags: [] });

test('people go before schedules, and among equals the earlier one goes first', () => {
  const watch = queue.add({ kind: 'watch', trigger: 'schedule', scope: scoped('a') }, 1);
  const late = queue.add({ kind: 'watch', trigger: 'schedule', scope: scoped('b') }, 2);
  const manual = queue.add({ kind: 'patrol', trigger: 'manual', scope: null }, 3);
  expect([queue.claim('r1')?.id, queue.claim('r2')?.id, queue.claim('r3')?.id, queue.claim('r4')]).toEqual([
    manual,
    watch,
    late,
    null,
  ]);
});

test('a request that a waiting one serves is merged into it, and raises its priority', () => {
  const first = queue.add({ kind: 'watch', trigger: 'schedule', scope: null }, 1);
  expect(queue.add({ kind: 'watch', trigger: 'manual', scope: null }, 2)).toBe(first);
  expect(queue.get(first)).toMatchObject({ merged: 1 });
  const scopedId = queue.add({ kind: 'patrol', trigger: 'webhook', scope: scoped('a') }, 3);
  expect(queue.claim('r')?.id).toBe(first);
  expect(queue.claim('r')?.id).toBe(scopedId);
});

test('a waiting patrol serves a watch, a waiting watch does not serve a patrol, and scopes are kept apart', () => {
  const watch = queue.add({ kind: 'watch', trigger: 'schedule', scope: null }, 1);
  const patrol = queue.add({ kind: 'patrol', trigger: 'schedule', scope: null }, 2);
  expect(patrol).not.toBe(watch);
  expect(queue.add({ kind: 'patrol', trigger: 'schedule', scope: scoped('a') }, 3)).not.toBe(patrol);
  expect(queue.depth()).toBe(3);
});

test('a request that is under way is not merged into: what it has read may be older than the wish', () => {
  const first = queue.add({ kind: 'patrol', trigger: 'manual', scope: null }, 1);
  queue.claim('r1');
  expect(queue.add({ kind: 'patrol', trigger: 'manual', scope: null }, 2)).not.toBe(first);
});

test('what a crash left claimed is tried again once, and then given up with the reason', () => {
  const id = queue.add({ kind: 'patrol', trigger: 'manual', scope: null }, 1);
  queue.claim('r1');
  expect(queue.recover()).toBe(1);
  expect(queue.claim('r2')?.id).toBe(id);
  expect(queue.recover()).toBe(0);
  expect(queue.get(id)).toMatchObject({ state: 'cancelled', reason: 'its run was cut short twice' });
});

test('a flood is refused with a code, and nothing that waits is dropped', () => {
  for (let index = 0; index < MAX_QUEUED; index += 1)
    queue.add({ kind: 'watch', trigger: 'manual', scope: scoped(`r${index}`) }, index);
  expect(() => queue.add({ kind: 'watch', trigger: 'manual', scope: scoped('one more') }, 1e6)).toThrow(
    expect.objectContaining({ code: 'queue_full' }),
  );
  expect(queue.depth()).toBe(MAX_QUEUED);
});

test('requests outlive the process', () => {
  const id = queue.add({ kind: 'watch', trigger: 'manual', scope: scoped('a') }, 1);
  db.close();
  db = openDatabase({ path: db.path });
  expect(createRunQueue(db, () => 'unused').claim('r')).toMatchObject({ id, scope: scoped('a'), kind: 'watch' });
});

test('the run is made for whoever asked most urgently, so that a person can look at what they asked for', () => {
  const id = queue.add({ kind: 'watch', trigger: 'schedule', scope: null }, 1);
  queue.add({ kind: 'watch', trigger: 'manual', scope: null }, 2);
  queue.add({ kind: 'watch', trigger: 'warm_up', scope: null }, 3);
  expect(queue.claim('r')).toMatchObject({ id, trigger: 'manual', merged: 2 });
});

test('a request is finished only by the run that holds it', () => {
  const id = queue.add({ kind: 'patrol', trigger: 'manual', scope: null }, 1);
  queue.claim('r1');
  queue.recover();
  expect(queue.finish({ id, runId: 'r1' }, 'cancelled', 'lost')).toBe(false);
  expect(queue.claim('r2')?.id).toBe(id);
  expect(queue.finish({ id, runId: 'r1' }, 'done', null)).toBe(false);
  expect(queue.finish({ id, runId: 'r2' }, 'done', null)).toBe(true);
  expect(queue.get(id)?.state).toBe('done');
});

test('a request that waits can be taken back, one that is under way can not', () => {
  const id = queue.add({ kind: 'patrol', trigger: 'manual', scope: null }, 1);
  expect(queue.cancelQueued(id, 'not needed')).toBe(true);
  expect(queue.get(id)).toMatchObject({ state: 'cancelled', reason: 'not needed' });
  const other = queue.add({ kind: 'patrol', trigger: 'manual', scope: null }, 2);
  queue.claim('r');
  expect(queue.cancelQueued(other, 'late')).toBe(false);
});

test('old requests are forgotten when they are over, and never while they wait', () => {
  const waiting = queue.add({ kind: 'watch', trigger: 'manual', scope: scoped('a') }, 1);
  const over = queue.add({ kind: 'watch', trigger: 'manual', scope: scoped('b') }, 2);
  queue.cancelQueued(over, 'x');
  queue.prune(1_000);
  expect([queue.get(waiting)?.state, queue.get(over)]).toEqual(['queued', null]);
});
