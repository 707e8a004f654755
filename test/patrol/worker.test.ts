import { join } from 'node:path';
import { afterEach, beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { createLease, HEARTBEAT_EVERY_MS } from '../../src/patrol/lease.ts';
import { createRunQueue } from '../../src/patrol/queue.ts';
import type { RunReport } from '../../src/patrol/report.ts';
import { createRunStore } from '../../src/patrol/run-store.ts';
import { createWorker, type WorkerDeps } from '../../src/patrol/worker.ts';
import { openDatabase } from '../../src/runtime/database.ts';
import { createLogger } from '../../src/runtime/logger.ts';
import { createFakeClock } from '../support/fake-clock.ts';
import { temporaryDirectory } from '../support/temporary-directory.ts';

beforeEach(() => void vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] }));
afterEach(() => void vi.useRealTimers());

const reportOf = (state: RunReport['run']['state'], reason: string | null = null): RunReport =>
  ({ run: { state, reason } }) as RunReport;

const open = (execute: WorkerDeps['execute'] = async () => reportOf('completed')) => {
  const db = openDatabase({ path: join(temporaryDirectory(), 'worker.db') });
  onTestFinished(() => db.close());
  const clock = createFakeClock();
  let ids = 0;
  const newId = (): string => `id-${String(++ids).padStart(4, '0')}`;
  const queue = createRunQueue(db, newId);
  const runs = createRunStore(db);
  const identity = { self: 'this', isAlive: () => null };
  const lease = createLease(db, 'this', identity);
  const other = createLease(db, 'other', identity);
  lease.acquire(clock.nowMs());
  const logger = createLogger({ level: 'silent', clock });
  const worker = createWorker({ clock, logger, queue, runs, lease, newId, execute });
  const ask = (): string => queue.add({ kind: 'patrol', trigger: 'manual', scope: null }, clock.nowMs());
  return { clock, queue, runs, lease, other, worker, ask };
};

const live = new AbortController().signal;

/** Executes as long as nobody stops it, and tells why it was stopped. */
const untilStopped: WorkerDeps['execute'] = (_request, _runId, signal) =>
  new Promise((resolve) => {
    signal.addEventListener('abort', () => resolve(reportOf('cancelled', (signal.reason as Error).message)));
  });

test('nothing waits, nothing is executed', async () => {
  expect(await open().worker.next(live)).toBeNull();
});

test('a request is executed under its run, and finished', async () => {
  const { worker, ask, queue } = open();
  const id = ask();
  const executed = await worker.next(live);
  expect(executed).toMatchObject({ request: { id }, report: { run: { state: 'completed' } } });
  expect(queue.get(id)).toMatchObject({ state: 'done', runId: executed?.request.runId });
  expect(vi.getTimerCount()).toBe(0);
});

test('a run that failed is done all the same: it is not asked for again', async () => {
  const { worker, ask, queue } = open(async () => reportOf('failed', 'disk full'));
  const id = ask();
  await worker.next(live);
  expect(queue.get(id)).toMatchObject({ state: 'done', reason: 'disk full' });
});

test('a lost lease stops the run, and its request is left to whoever took over', async () => {
  const house = open(untilStopped);
  const id = house.ask();
  const running = house.worker.next(live);
  house.lease.release();
  expect(house.other.acquire(house.clock.nowMs())).toBe(true);
  expect(house.queue.recover()).toBe(1);
  await vi.advanceTimersByTimeAsync(HEARTBEAT_EVERY_MS);
  expect((await running)?.report.run.reason).toBe('another process took over');
  expect(house.queue.get(id)).toMatchObject({ state: 'queued', runId: null });
  expect(vi.getTimerCount()).toBe(0);
});

test('a lease is kept while a run takes its time', async () => {
  const house = open(untilStopped);
  house.ask();
  const stop = new AbortController();
  const running = house.worker.next(stop.signal);
  for (let beat = 0; beat < 20; beat += 1) {
    await house.clock.advance(HEARTBEAT_EVERY_MS);
    await vi.advanceTimersByTimeAsync(HEARTBEAT_EVERY_MS);
  }
  expect(house.other.acquire(house.clock.nowMs())).toBe(false);
  stop.abort(new Error('stopped'));
  expect((await running)?.report.run.reason).toBe('stopped');
});

test('another process can have a run cancelled', async () => {
  const house = open((request, runId, signal) => {
    house.runs.begin({ id: runId, requestId: request.id, kind: 'patrol', trigger: 'manual', scope: null }, 1);
    expect(house.runs.requestCancel(runId, 2)).toBe(true);
    return untilStopped(request, runId, signal);
  });
  const id = house.ask();
  const running = house.worker.next(live);
  await vi.advanceTimersByTimeAsync(1_000);
  expect((await running)?.report.run.reason).toBe('cancelled by request');
  expect(house.queue.get(id)?.state).toBe('cancelled');
});

test('what a dead process left is interrupted, and its request is tried again once', async () => {
  const house = open();
  const id = house.ask();
  for (const runId of ['dead-1', 'dead-2']) {
    house.queue.claim(runId);
    house.runs.begin({ id: runId, requestId: id, kind: 'patrol', trigger: 'manual', scope: null }, 1);
    house.worker.recover();
    expect(house.runs.get(runId)).toMatchObject({ state: 'interrupted', reason: 'the process that ran it ended' });
  }
  expect(house.queue.get(id)).toMatchObject({ state: 'cancelled', reason: 'its run was cut short twice' });
  expect(await house.worker.next(live)).toBeNull();
});
