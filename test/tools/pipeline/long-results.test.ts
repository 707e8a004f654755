import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createLongResults, KEPT_CHARACTERS, resultCharacters } from '../../../src/tools/pipeline/long-results.ts';

const CURSOR = /\n\[cut at \d+ of \d+ characters; the rest: read_more \{"cursor":"(r\d+:\d+)"\}\]$/;

const readAll = async (text: string, most: number): Promise<readonly string[]> => {
  const { show, readMore } = createLongResults(most);
  const parts = [show(text)];
  for (let cursor = CURSOR.exec(parts[0] ?? '')?.[1]; cursor !== undefined; ) {
    const outcome = await readMore.run({ cursor }, null, new AbortController().signal);
    if (outcome.kind === 'error') throw new Error(outcome.error.message);
    parts.push(outcome.text);
    cursor = CURSOR.exec(outcome.text)?.[1];
  }
  return parts;
};

test('parts are short enough, and together they are the whole, exactly once', async () => {
  const line = fc.string({ unit: 'grapheme', maxLength: 300 });
  await fc.assert(
    fc.asyncProperty(fc.array(line, { maxLength: 60 }), fc.integer({ min: 400, max: 3_000 }), async (lines, most) => {
      const text = lines.join('\n');
      const parts = await readAll(text, most);
      for (const part of parts) expect(part.length).toBeLessThanOrEqual(most);
      expect(parts.map((part) => part.replace(CURSOR, '')).join('')).toBe(text);
    }),
    { numRuns: 200 },
  );
});

test('a cursor that is none, or whose result was forgotten, is told', async () => {
  const { show, readMore } = createLongResults(1_000);
  const first = CURSOR.exec(show('a'.repeat(KEPT_CHARACTERS / 2)))?.[1] ?? '';
  show('b'.repeat(KEPT_CHARACTERS));
  for (const cursor of [first, 'r99:0', '../etc/passwd', 'r2:99999999'])
    expect(await readMore.run({ cursor }, null, new AbortController().signal)).toMatchObject({
      kind: 'error',
      error: { code: 'cursor_invalid' },
    });
});

test.each([
  [1_000_000, 16_000],
  [32_000, 14_400],
  [8_000, 3_600],
  [100, 500],
])('of a context of %d tokens a result takes %d characters', (tokens, characters) => {
  expect(resultCharacters(tokens)).toBe(characters);
});
