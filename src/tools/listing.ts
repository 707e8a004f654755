/** The one form of answers that are lists: a line about the whole, names of the columns, fenced rows, where to go on. */
import type { ResourceId } from '../../signals/resource.ts';
import type { LookingContext } from './looking-context.ts';
import { readOffset, writeOffset } from './showing/cursor.ts';
import { FENCE_LENGTH, fenced } from './showing/fence.ts';
import { fitRow, ROW_LENGTH, type RowCells } from './showing/fit-row.ts';
import type { ToolOutcome } from './tool.ts';
import { fail } from './tool-failure.ts';

export interface Row extends RowCells {
  readonly evidence?: readonly string[];
  readonly touched?: readonly ResourceId[];
}

export interface Listing {
  /** Of the tool, for the cursor. */
  readonly tool: string;
  readonly asked: { readonly cursor?: string | undefined };
  /** About the whole, in patrold's own words. */
  readonly summary: string;
  readonly columns: readonly string[];
  /** Made only for the page that is shown. */
  readonly rows: readonly (() => Row)[];
  /** Of a list that may change between two pages: `rows` begin where the page begins, and this is how to go on after one. */
  readonly keyset?: {
    readonly cursorAfter: (index: number) => string;
    /** There are more than `rows` holds. */
    readonly hasMore: boolean;
  };
  /** Citable or touched whatever the page shows. */
  readonly evidence?: readonly string[];
  readonly touched?: readonly ResourceId[];
}

/** Rows of one page, however short they are. */
export const PAGE_ROWS = 50;
/** What is said of places and cursors. */
const PAGING_LENGTH = 280;
/** Below this there is no room for a row that says something. */
export const MIN_RESULT_LENGTH = 1_200;

interface Page {
  readonly rows: readonly Row[];
  readonly lines: readonly string[];
}

const pageFrom = (rows: Listing['rows'], offset: number, length: number): Page => {
  const shown: Row[] = [];
  const lines: string[] = [];
  let left = length;
  for (const make of rows.slice(offset, offset + PAGE_ROWS)) {
    const row = make();
    const line = fitRow(row, Math.min(ROW_LENGTH, length));
    if (lines.length > 0 && line.length + 1 > left) break;
    left -= line.length + 1;
    shown.push(row);
    lines.push(line);
  }
  return { rows: shown, lines };
};

export const answerList = ({ resultLength }: Pick<LookingContext, 'resultLength'>, list: Listing): ToolOutcome => {
  const { tool, asked, summary, columns, rows, keyset } = list;
  const offset = keyset === undefined ? readOffset(tool, asked) : 0;
  if (offset === null)
    return fail('invalid_cursor', 'Repeat the call with the same arguments and the cursor that it gave, or without.');
  const columnsLine = `columns: ${columns.join(', ')}`;
  const taken = summary.length + columnsLine.length + PAGING_LENGTH + FENCE_LENGTH;
  const page = pageFrom(rows, offset, Math.max(resultLength, MIN_RESULT_LENGTH) - taken);
  const end = offset + page.lines.length;
  const isPart = keyset === undefined && rows.length !== page.lines.length;
  const place = isPart ? ` Rows ${offset + 1} to ${end} of ${rows.length}.` : '';
  const goesOn = end < rows.length || (keyset?.hasMore === true && end > 0);
  const next = (): string => keyset?.cursorAfter(end - 1) ?? writeOffset(tool, asked, end);
  const more = goesOn ? ` For more repeat the call with cursor "${next()}".` : '';
  const body = page.lines.length === 0 ? [] : [columnsLine, fenced(page.lines)];
  return {
    kind: 'ok',
    text: [`${summary}${page.lines.length === 0 ? ' No rows.' : `${place}${more}`}`, ...body].join('\n'),
    evidence: [...new Set([...(list.evidence ?? []), ...page.rows.flatMap(({ evidence = [] }) => evidence)])],
    touched: [...new Set([...(list.touched ?? []), ...page.rows.flatMap(({ touched = [] }) => touched)])],
  };
};
