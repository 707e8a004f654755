/** Takes an answer of a tool apart, as strictly as its form is promised: a summary, columns, one fence, JSON rows. */
import { expect } from 'vitest';
import { FENCE_CLOSE, FENCE_OPEN } from '../../src/tools/showing/fence.ts';

export interface ShownAnswer {
  readonly summary: string;
  readonly columns: readonly string[];
  readonly rows: readonly (readonly unknown[])[];
  readonly cursor: string | null;
}

export const readAnswer = (text: string): ShownAnswer => {
  const lines = text.split('\n');
  const [summary = ''] = lines;
  const cursor = /cursor "([^"]+)"/.exec(summary)?.[1] ?? null;
  if (lines.length === 1) return { summary, columns: [], rows: [], cursor };
  expect(lines[2]).toBe(FENCE_OPEN);
  expect(lines.at(-1)).toBe(FENCE_CLOSE);
  expect(text.split(FENCE_CLOSE)).toHaveLength(2);
  expect(text.split('<data')).toHaveLength(2);
  const rows = lines.slice(3, -1).map((line) => {
    const row: unknown = JSON.parse(line);
    if (!Array.isArray(row)) throw new Error(`no row: ${line}`);
    return row as readonly unknown[];
  });
  return { summary, columns: (lines[1] ?? '').replace('columns: ', '').split(', '), rows, cursor };
};
