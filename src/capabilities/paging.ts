/** How lists are asked for page by page. */
import { z } from 'zod';
import { type Failure, fail } from './answer.ts';
import type { CapabilityErrorCode } from './api-errors.ts';

/** As for findings (findings/page.ts). */
export { LARGEST_PAGE } from '../../findings/page.ts';

import { DEFAULT_PAGE, LARGEST_PAGE } from '../../findings/page.ts';

const MAX_CURSOR_LENGTH = 2_000;

export const pageInput = {
  limit: z.int().min(1).max(LARGEST_PAGE).default(DEFAULT_PAGE).describe('items of a page'),
  cursor: z
    .string()
    .min(1)
    .max(MAX_CURSOR_LENGTH)
    .optional()
    .describe('`nextCursor` of the page before, with the same filters'),
};

export const nextCursor = z.string().nullable().describe('null: this is the last page');

/** What a list answers to a cursor that it did not write. */
export const badCursor = <const C extends CapabilityErrorCode>(code: C): Failure<C> =>
  fail(code, 'the cursor is not one of this list', {
    problems: [{ path: 'cursor', message: 'it is not one of this list: begin at its first page' }],
  });

export const writeCursor = (list: string, position: readonly (string | number)[]): string =>
  Buffer.from(JSON.stringify([list, ...position]), 'utf8').toString('base64url');

const cursorSchema = z.array(z.union([z.string(), z.int()])).max(8);

/** Null: it is none of this list. */
export const readCursor = (list: string, cursor: string): readonly (string | number)[] | null => {
  if (!/^[\w-]*$/.test(cursor)) return null;
  try {
    const [tag, ...position] = cursorSchema.parse(JSON.parse(Buffer.from(cursor, 'base64url').toString('utf8')));
    return tag === list ? position : null;
  } catch {
    return null;
  }
};
