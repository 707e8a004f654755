import fc from 'fast-check';
import { expect, test } from 'vitest';
import { answerList, MIN_RESULT_LENGTH } from '../../src/tools/listing.ts';
import { readAnswer } from '../support/shown-rows.ts';

const told = fc.jsonValue({ maxDepth: 3, depthSize: 'medium' });
const row = fc.record({
  named: fc.array(fc.option(fc.string({ maxLength: 200, unit: 'binary' })), { maxLength: 3 }),
  told: fc.array(fc.oneof(told, fc.string({ unit: 'binary', maxLength: 4_000 })), { maxLength: 6 }),
});

const listOf = (rows: readonly object[], cursor: string | undefined, resultLength: number) =>
  answerList(
    { resultLength },
    {
      tool: 'some_tool',
      asked: { cursor },
      summary: 'Something.',
      columns: ['a', 'b'],
      rows: rows.map((one) => () => one as never),
    },
  );

test('no answer is longer than it may be, and its pages show every row exactly once, in order', () => {
  fc.assert(
    fc.property(
      fc.array(row, { maxLength: 120 }),
      fc.integer({ min: MIN_RESULT_LENGTH, max: 16_000 }),
      (rows, resultLength) => {
        const numbered = rows.map(({ named, told: cells }, index) => ({
          named: [String(index)],
          told: [...named, ...cells],
        }));
        const seen: unknown[] = [];
        let cursor: string | undefined;
        do {
          const outcome = listOf(numbered, cursor, resultLength);
          if (outcome.kind !== 'ok') throw new Error(outcome.error.code);
          expect(outcome.text.length).toBeLessThanOrEqual(resultLength);
          const answer = readAnswer(outcome.text);
          seen.push(...answer.rows.map(([index]) => index));
          cursor = answer.cursor ?? undefined;
        } while (cursor !== undefined);
        expect(seen).toEqual(numbered.map((_, index) => String(index)));
      },
    ),
    { numRuns: 60 },
  );
});

test('what a row names is whole as long as it fits, whatever else gives way', () => {
  const id = 'nas1/filesystem/srv-media';
  const outcome = listOf(
    [{ named: [id, 'e1'], told: ['x'.repeat(5_000), Array.from({ length: 900 }, String)] }],
    undefined,
    1_200,
  );
  expect(outcome.kind === 'ok' && readAnswer(outcome.text).rows[0]?.slice(0, 2)).toEqual([id, 'e1']);
});

test('a cursor of another question is refused', () => {
  const rows = Array.from({ length: 80 }, (_, index) => ({ named: [String(index)], told: [] }));
  const first = listOf(rows, undefined, 2_000);
  const cursor = first.kind === 'ok' ? readAnswer(first.text).cursor : null;
  const other = answerList(
    { resultLength: 2_000 },
    { tool: 'other_tool', asked: { cursor: cursor ?? '' }, summary: '', columns: [], rows: [] },
  );
  expect(other).toMatchObject({ kind: 'error', error: { code: 'invalid_cursor', recoverable: true } });
  expect(listOf(rows, '12', 2_000)).toMatchObject({ kind: 'error' });
  expect(listOf(rows, `99999-${(cursor ?? '').split('-')[1]}`, 2_000)).toMatchObject({ kind: 'ok', evidence: [] });
});
