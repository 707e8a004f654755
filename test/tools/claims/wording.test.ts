import { expect, test } from 'vitest';
import { detectors } from '../../../signals/detectors/index.ts';
import { likenessTo, SPEAKS_OF, wordsOf } from '../../../src/tools/claims/wording.ts';

const spokenOf = (key: string, title: string): readonly string[] =>
  detectors.filter((detector) => likenessTo(detector, wordsOf(key, title)) >= SPEAKS_OF).map(({ type }) => type);

test('the words of each detector, its type or its title, speak of it', () => {
  for (const { type, title } of detectors) {
    expect(spokenOf(type, 'something')).toContain(type);
    expect(spokenOf('x', title)).toContain(type);
  }
});

test.each([
  ['inodes-exhausted', 'Inodes of the mail spool run out', 'inodes_low'],
  ['ram_full', 'Memory is full', 'high_memory'],
  ['cpu-load', 'CPU pegged for hours', 'high_cpu'],
  ['fs-ro', 'The filesystem became read-only', 'filesystem_read_only'],
  ['raid', 'RAID array degraded', 'raid_degraded'],
  ['unit', 'Backup service failed', 'service_failed'],
  ['oom', 'OOM kill of mysqld', 'oom_kill'],
])('%s, %s speaks of %s', (key, title, type) => {
  expect(spokenOf(key, title)).toContain(type);
});

test.each([
  ['media_library_grows', 'Media library grows by itself'],
  ['password_guessing', 'Somebody guesses passwords over SSH'],
  ['old_kernel', 'Kernel is two years old'],
  ['', ''],
])('%s, %s speaks of no detector', (key, title) => {
  expect(spokenOf(key, title)).toEqual([]);
});
