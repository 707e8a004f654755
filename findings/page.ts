/** What a list of findings can be asked for, and where its next page begins. */
import type { Category, Severity } from '../signals/detector.ts';
import type { ResourceId, SourceId } from '../signals/resource.ts';
import type { DispositionKind, Finding, FindingState } from './finding.ts';

export const SORTS = ['severity', 'newest', 'resource'] as const;
/** `severity`: worst first, among equals the newest. `newest`: by when it opened or was resolved. */
export type Sort = (typeof SORTS)[number];

export interface FindingFilter {
  /** Active ones unless said otherwise. */
  readonly state?: FindingState | 'all';
  readonly severities?: readonly Severity[];
  readonly resourceId?: ResourceId;
  readonly sourceId?: SourceId;
  readonly category?: Category;
  /** A whole key, or a detector's type, which stands for all its subjects. */
  readonly key?: string;
  readonly disposition?: DispositionKind;
  /** Occurs in title, summary, resource id or key; ASCII letters of either case. */
  readonly text?: string;
}

export interface FindingQuery extends FindingFilter {
  readonly sort?: Sort;
  readonly limit?: number;
  /** From the page before, with the same filter and sort. */
  readonly cursor?: string;
}

export type SeverityCounts = Readonly<Record<Severity, number>>;

export interface FindingPage {
  readonly findings: readonly Finding[];
  /** Null: this was the last page. */
  readonly nextCursor: string | null;
  /** Of everything that the filter matches. */
  readonly total: number;
  readonly bySeverity: SeverityCounts;
}

export const DEFAULT_PAGE = 50;
export const LARGEST_PAGE = 200;

export type Cursor =
  | { readonly sort: 'severity'; readonly rank: number; readonly atMs: number; readonly id: string }
  | { readonly sort: 'newest'; readonly atMs: number; readonly id: string }
  | { readonly sort: 'resource'; readonly resourceId: string; readonly key: string };

type Sorted = Pick<Finding, 'id' | 'resourceId' | 'key' | 'openedAtMs' | 'resolution'>;

export const cursorAfter = (sort: Sort, finding: Sorted, rank: number): Cursor => {
  const atMs = finding.resolution?.atMs ?? finding.openedAtMs;
  if (sort === 'resource') return { sort, resourceId: finding.resourceId, key: finding.key };
  return sort === 'newest' ? { sort, atMs, id: finding.id } : { sort, rank, atMs, id: finding.id };
};

export const writeCursor = (cursor: Cursor): string => {
  switch (cursor.sort) {
    case 'severity':
      return toBase64Url(JSON.stringify(['s', cursor.rank, cursor.atMs, cursor.id]));
    case 'newest':
      return toBase64Url(JSON.stringify(['n', cursor.atMs, cursor.id]));
    case 'resource':
      return toBase64Url(JSON.stringify(['r', cursor.resourceId, cursor.key]));
  }
};

/** Null: nobody here wrote it, or not for this sort. */
export const readCursor = (text: string, sort: Sort): Cursor | null => {
  const parts = parse(text);
  if (parts === null) return null;
  const [tag, a, b, c] = parts;
  if (tag === 's' && sort === 'severity' && isNumber(a) && isNumber(b) && isText(c))
    return { sort, rank: a, atMs: b, id: c };
  if (tag === 'n' && sort === 'newest' && isNumber(a) && isText(b)) return { sort, atMs: a, id: b };
  if (tag === 'r' && sort === 'resource' && isText(a) && isText(b)) return { sort, resourceId: a, key: b };
  return null;
};

const MAX_CURSOR_LENGTH = 2000;

const parse = (text: string): readonly unknown[] | null => {
  if (text.length > MAX_CURSOR_LENGTH || !/^[\w-]*$/.test(text)) return null;
  try {
    const value: unknown = JSON.parse(fromBase64Url(text));
    return Array.isArray(value) ? value : null;
  } catch {
    return null;
  }
};

const isNumber = (value: unknown): value is number => typeof value === 'number' && Number.isSafeInteger(value);
const isText = (value: unknown): value is string => typeof value === 'string';

const toBase64Url = (text: string): string => Buffer.from(text, 'utf8').toString('base64url');
const fromBase64Url = (text: string): string => Buffer.from(text, 'base64url').toString('utf8');
