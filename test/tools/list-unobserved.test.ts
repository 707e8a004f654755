import { expect, test } from 'vitest';
import { listUnobserved } from '../../src/tools/list-unobserved.ts';
import { readAnswer } from '../support/shown-rows.ts';
import { openToolScene } from '../support/tool-scene.ts';

test('what was not observed for the same reason is one row, the largest first', async () => {
  const { text } = await openToolScene('sources-engine-silent', { runsBefore: 2 });
  const { rows } = readAnswer(await text(listUnobserved, {}));
  const counts = rows.map((row) => Number(row[4]));
  expect(counts).toEqual(counts.toSorted((a, b) => b - a));
  expect(rows[0]?.[2]).toEqual(expect.stringMatching(/\S/));
});

test('one reading that is missing is named with its reason', async () => {
  const { text } = await openToolScene('compound-bad-day');
  const { rows } = readAnswer(await text(listUnobserved, { under: 'nas1' }));
  expect(rows).toEqual([
    [
      'smart',
      'asleep',
      '/dev/sdb is spun down and was left asleep',
      ['nas'],
      1,
      ['nas1/disk/wdc_wd40efrx-68n32n0-wd-wcc7k7654321'],
    ],
  ]);
});
