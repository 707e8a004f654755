/** Where the next page of an answer begins. It holds for the question that it came with, and for no other. */
import { createHash } from 'node:crypto';

const MARK_DIGITS = 6;

const markOf = (tool: string, asked: object): string => {
  const { cursor: _cursor, ...question } = asked as { readonly cursor?: unknown };
  const known = Object.entries(question).filter(([, value]) => value !== undefined);
  const text = JSON.stringify([tool, known.sort(([a], [b]) => (a < b ? -1 : 1))]);
  return createHash('sha256').update(text).digest('hex').slice(0, MARK_DIGITS);
};

export const writeOffset = (tool: string, asked: object, offset: number): string => `${offset}-${markOf(tool, asked)}`;

/** Null: the cursor is none of this question. */
export const readOffset = (tool: string, asked: { readonly cursor?: string | undefined }): number | null => {
  if (asked.cursor === undefined) return 0;
  const [, offset = '', mark = ''] = /^(\d{1,9})-([0-9a-f]+)$/.exec(asked.cursor.trim()) ?? [];
  return mark === markOf(tool, asked) && offset !== '' ? Number(offset) : null;
};
