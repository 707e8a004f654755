import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { displayWidth, table, wrap } from '../../src/cli/table.ts';

describe('wrapped text', () => {
  test('no line is wider than asked, and nothing but white space is lost', () => {
    fc.assert(
      fc.property(
        fc.array(fc.stringMatching(/^[a-z]{0,30}$/)).map((words) => words.join(' ')),
        fc.integer({ min: 1, max: 40 }),
        (text, width) => {
          const lines = wrap(text, width);
          expect(lines.every((line) => displayWidth(line) <= width)).toBe(true);
          expect(lines.join('').replaceAll(' ', '')).toBe(text.replaceAll(' ', ''));
        },
      ),
    );
  });
});

describe('a table', () => {
  const columns = [{ title: 'ID' }, { title: 'WHAT', flexible: true }, { title: 'N', align: 'right' as const }];

  test('fits the terminal by narrowing what is flexible', () => {
    const text = table(columns, [['a', 'one two three four five six seven', '1']], 30);
    expect(text.split('\n').every((line) => displayWidth(line) <= 30)).toBe(true);
    expect(text).toContain('seven');
  });

  test('aligns by what is seen: colours take no room, wide characters take two', () => {
    expect(displayWidth('\u001b[31mred\u001b[0m')).toBe(3);
    expect(displayWidth('日本')).toBe(4);
    const lines = table(
      columns,
      [
        ['\u001b[31ma\u001b[0m', '日本', '1'],
        ['b', 'long text', '22'],
      ],
      80,
    )
      .trimEnd()
      .split('\n');
    expect(new Set(lines.map((line) => displayWidth(line))).size).toBe(1);
  });

  test('is nothing without rows', () => {
    expect(table(columns, [], 80)).toBe('');
  });
});
