import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import type { Verdict, VerdictMemory } from '../../signals/detector.ts';
import { LOOKS_APART_MS } from '../../signals/lasting.ts';
import { asResourceId } from '../../signals/resource.ts';
import { createVerdictStore, LOOKS_UNTIL_GONE, type VerdictStore } from '../../src/evidence/verdict-store.ts';
import { openDatabase } from '../../src/runtime/database.ts';
import { temporaryDirectory } from '../support/temporary-directory.ts';

const nas = asResourceId('nas');
const twin = asResourceId('twin');

const open = (): VerdictStore => {
  const db = openDatabase({ path: join(temporaryDirectory(), 'verdicts.db') });
  onTestFinished(() => db.close());
  return createVerdictStore(db);
};

const memory = (more: Partial<VerdictMemory> = {}): VerdictMemory => ({
  severity: 'warning',
  level: 81.5,
  trigger: 80,
  sinceMs: 1_000,
  bad: { sinceMs: 900, lastAtMs: 2_000, looks: 2 },
  seenAtMs: 2_000,
  sourceIds: ['this-host'],
  ...more,
});

/** Only what the store reads of a verdict. */
const said = (kept: VerdictMemory | null, subject: string | null = null, resourceId = nas): Verdict =>
  ({ detector: 'raid_degraded', resourceId, subject, memory: kept, state: 'clear' }) as Verdict;

const write = (store: VerdictStore, ...verdicts: readonly Verdict[]): void => store.write(store.load(), verdicts, []);

const keptOf = (store: VerdictStore, subject = '', resourceId = nas): VerdictMemory | undefined =>
  store.load().of('raid_degraded', resourceId)?.get(subject);

test.each([
  ['everything that is known', memory()],
  ['a fault that is being confirmed', memory({ severity: null, level: null })],
  ['a fault without a streak', memory({ bad: null })],
])('%s comes back as it was written', (_what, kept) => {
  const store = open();
  write(store, said(kept));
  expect(keptOf(store)).toEqual(kept);
  expect(store.load().onResource?.(nas)?.get('raid_degraded')?.get('')).toEqual(kept);
});

test('a memory from before sources were kept says nothing of them', () => {
  const store = open();
  const { sourceIds: _none, ...old } = memory();
  write(store, said(old));
  expect(keptOf(store)).toEqual(old);
});

test('what is clear is forgotten, and another subject of the same detector is not', () => {
  const store = open();
  write(store, said(memory(), 'md0'), said(memory(), 'md1'));
  write(store, said(null, 'md0'));
  expect(keptOf(store, 'md0')).toBeUndefined();
  expect(keptOf(store, 'md1')).toBeDefined();
});

test(`a subject is forgotten when ${LOOKS_UNTIL_GONE} looks that lie apart no longer held it`, () => {
  const store = open();
  write(store, said(memory(), 'md0'));
  const miss = (lookAtMs: number): void =>
    store.write(store.load(), [], [{ detector: 'raid_degraded', resourceId: nas, subject: 'md0', lookAtMs }]);
  miss(10_000);
  expect(keptOf(store, 'md0')).toBeDefined();
  miss(10_000 + LOOKS_APART_MS - 1);
  expect(keptOf(store, 'md0')).toBeDefined();
  miss(10_000 + LOOKS_APART_MS);
  expect(keptOf(store, 'md0')).toBeUndefined();
});

test('a subject that came back has to be missed as often again', () => {
  const store = open();
  const absent = (lookAtMs: number) => [{ detector: 'raid_degraded', resourceId: nas, subject: 'md0', lookAtMs }];
  write(store, said(memory(), 'md0'));
  store.write(store.load(), [], absent(10_000));
  write(store, said(memory(), 'md0'));
  store.write(store.load(), [], absent(500_000));
  expect(keptOf(store, 'md0')).toBeDefined();
});

test('under a merge memories move, and the one that moves stays', () => {
  const store = open();
  write(store, said(memory({ level: 1 }), 'a', twin), said(memory({ level: 2 }), 'a'), said(memory({ level: 3 }), 'b'));
  store.rename(twin, nas);
  expect(keptOf(store, 'a')?.level).toBe(1);
  expect(keptOf(store, 'b')?.level).toBe(3);
  expect(store.load().of('raid_degraded', twin)).toBeUndefined();
});

test('in the run of a merge memories are seen under the new name before it is written, as they will be after it', () => {
  const store = open();
  const [a, b, c] = [asResourceId('a'), asResourceId('b'), asResourceId('c')];
  write(
    store,
    said(memory({ level: 1 }), 'x', a),
    said(memory({ level: 2 }), 'x', b),
    said(memory({ level: 3 }), 'x', c),
  );
  write(store, said(memory({ level: 4 }), 'y', b));
  store.write(store.load(), [], [{ detector: 'raid_degraded', resourceId: b, subject: 'y', lookAtMs: 77 }]);
  const merged = [
    { from: a, into: c },
    { from: b, into: c },
  ];
  const before = store.load(merged);
  for (const { from, into } of merged) store.rename(from, into);
  const after = store.load();
  for (const id of [a, b, c]) {
    expect(before.onResource?.(id)).toEqual(after.onResource?.(id));
    expect(before.of('raid_degraded', id)).toEqual(after.of('raid_degraded', id));
  }
  const subject = { detector: 'raid_degraded', resourceId: c, subject: 'y', lookAtMs: 0 };
  expect(before.absence(subject)).toEqual({ looks: 1, lookAtMs: 77 });
  expect(after.absence(subject)).toEqual({ looks: 1, lookAtMs: 77 });
  store.write(before, [said(null, 'x', c)], []);
  expect(keptOf(store, 'x', c)).toBeUndefined();
});
