/** Tables that fit the terminal: the widest flexible column gives way first, and wraps. */
import { stripVTControlCharacters } from 'node:util';

export interface Column {
  readonly title: string;
  /** May be narrowed, and wraps; others keep their width. */
  readonly flexible?: boolean;
  readonly align?: 'left' | 'right';
}

const GAP = 2;
/** Below this a wrapped column is unreadable; the table may then be wider than the terminal. */
const NARROWEST = 16;

/** Columns that a text takes: control sequences none, wide East Asian characters and emoji two. */
export const displayWidth = (text: string): number => {
  let width = 0;
  for (const { segment } of graphemes.segment(stripVTControlCharacters(text))) width += WIDE.test(segment) ? 2 : 1;
  return width;
};

const graphemes = new Intl.Segmenter(undefined, { granularity: 'grapheme' });
const WIDE =
  /\p{Emoji_Presentation}|[\u1100-\u115F\u2E80-\u303E\u3041-\uA4CF\uAC00-\uD7A3\uF900-\uFAFF\uFE30-\uFE6F\uFF00-\uFF60\uFFE0-\uFFE6]/u;

/** Lines of at most `width`; a word that is longer is broken. */
export const wrap = (text: string, width: number): readonly string[] => {
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(/\s+/).filter((part) => part !== '')) {
    let rest = word;
    while (displayWidth(rest) > width) {
      if (line !== '') lines.push(line);
      line = '';
      const head = [...rest].slice(0, width).join('');
      lines.push(head);
      rest = rest.slice(head.length);
    }
    if (line !== '' && displayWidth(line) + 1 + displayWidth(rest) > width) {
      lines.push(line);
      line = rest;
    } else line = line === '' ? rest : `${line} ${rest}`;
  }
  return line === '' && lines.length > 0 ? lines : [...lines, line];
};

const narrow = (columns: readonly Column[], natural: readonly number[], width: number): readonly number[] => {
  const widths = [...natural];
  const total = (): number => widths.reduce((sum, value) => sum + value, 0) + GAP * (widths.length - 1);
  while (total() > width) {
    const candidates = columns
      .map((column, index) => (column.flexible === true ? index : -1))
      .filter((index) => index >= 0 && (widths[index] ?? 0) > NARROWEST);
    const widest = candidates.toSorted((a, b) => (widths[b] ?? 0) - (widths[a] ?? 0))[0];
    if (widest === undefined) break;
    widths[widest] = Math.max(NARROWEST, (widths[widest] ?? 0) - Math.max(1, Math.floor((total() - width) / 4)));
  }
  return widths;
};

const pad = (text: string, width: number, align: Column['align']): string => {
  const missing = ' '.repeat(Math.max(0, width - displayWidth(text)));
  return align === 'right' ? missing + text : text + missing;
};

/** Rows of cells, top to bottom; ends with a line break, or is empty without rows. */
export const table = (columns: readonly Column[], rows: readonly (readonly string[])[], width: number): string => {
  if (rows.length === 0) return '';
  const cells = [columns.map(({ title }) => title), ...rows];
  const natural = columns.map((_, index) => Math.max(...cells.map((row) => displayWidth(row[index] ?? ''))));
  const widths = narrow(columns, natural, width);
  const lines = cells.flatMap((row) => {
    // A styled cell is never wrapped: its colour would run on over the next column.
    const wrapped = columns.map((column, index) => {
      const text = row[index] ?? '';
      return column.flexible === true && displayWidth(text) > (widths[index] ?? 0)
        ? wrap(stripVTControlCharacters(text), widths[index] ?? 0)
        : [text];
    });
    const height = Math.max(...wrapped.map(({ length }) => length));
    return Array.from({ length: height }, (_, line) =>
      columns
        .map((column, index) => pad(wrapped[index]?.[line] ?? '', widths[index] ?? 0, column.align))
        .join(' '.repeat(GAP))
        .trimEnd(),
    );
  });
  return `${lines.join('\n')}\n`;
};
