import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { createTranscriptStore, RUN_CHARACTERS, TEXT_CHARACTERS } from '../../src/agent/transcript-store.ts';
import { openDatabase } from '../../src/runtime/database.ts';
import { createFakeClock } from '../support/fake-clock.ts';
import { temporaryDirectory } from '../support/temporary-directory.ts';

const open = () => {
  const path = join(temporaryDirectory(), 'transcripts.db');
  const db = openDatabase({ path });
  onTestFinished(() => db.close());
  const clock = createFakeClock();
  return { store: createTranscriptStore(db, clock), clock };
};

test('what was said comes back in its order, loop by loop, and of that run alone', async () => {
  const { store, clock } = open();
  const patrol = store.open('run-1', 'patrol');
  patrol.add({ kind: 'system', text: 'look' });
  patrol.add({ kind: 'assistant', text: '', calls: [{ name: 'look', arguments: { at: 'nas' } }] });
  await clock.advance(1_000);
  store.open('run-1', 'evaluation').add({ kind: 'user', text: 'these' });
  store.open('run-2', 'patrol').add({ kind: 'user', text: 'other' });
  expect(store.of('run-1').map(({ loop, entry }) => `${loop} ${entry.kind}`)).toEqual([
    'patrol system',
    'patrol assistant',
    'evaluation user',
  ]);
  expect(store.of('run-1')[1]?.entry).toEqual({
    kind: 'assistant',
    text: '',
    calls: [{ name: 'look', arguments: { at: 'nas' } }],
  });
});

test('secrets are not kept, wherever they stand, and long texts are cut', () => {
  const { store } = open();
  const transcript = store.open('run', 'patrol');
  transcript.add({
    kind: 'assistant',
    text: 'password=hunter22',
    calls: [{ name: 'x', arguments: { note: 'token=abcdef123456' } }],
  });
  transcript.add({ kind: 'user', text: 'a'.repeat(TEXT_CHARACTERS * 2) });
  const kept = JSON.stringify(store.of('run'));
  expect(kept).not.toContain('hunter22');
  expect(kept).not.toContain('abcdef123456');
  expect(kept.length).toBeLessThan(TEXT_CHARACTERS * 1.1);
});

test('a run that says too much is kept up to there, and says so', () => {
  const { store } = open();
  const transcript = store.open('run', 'patrol');
  for (let count = 0; count < RUN_CHARACTERS / TEXT_CHARACTERS + 10; count += 1)
    transcript.add({ kind: 'user', text: 'a'.repeat(TEXT_CHARACTERS) });
  const kept = store.of('run');
  expect(kept.at(-1)?.entry.kind).toBe('full');
  expect(JSON.stringify(kept).length).toBeLessThan(RUN_CHARACTERS * 1.1);
});

test('what is old goes', async () => {
  const { store, clock } = open();
  store.open('old', 'patrol').add({ kind: 'user', text: 'x' });
  await clock.advance(10_000);
  store.open('new', 'patrol').add({ kind: 'user', text: 'x' });
  expect(store.prune(clock.nowMs() - 5_000)).toBe(1);
  expect([store.of('old'), store.of('new').length]).toEqual([[], 1]);
});
