/** Which things in a directory are archives, which of them are complete, and which is the newest. Pure. */
import { cleanText } from '../../runtime/text.ts';
import type { ArchivePattern } from './archive-pattern.ts';
import { type Archives, type ArchivesResult, archivesOf, unread } from './archives.ts';
import type { DirectoryEntry } from './directory-entry.ts';

/** What programs append, or put in front, while they write: rsync, curl, browsers, editors, and people. */
const TEMPORARY = /(?:\.(?:tmp|temp|part|partial|incomplete|filepart|crdownload|writing|inprogress|new|lock|swp)|~)$/i;
/** rsync writes `.name.Ab3xY9`; other hidden things are no archives either. */
const HIDDEN = /^\./;
/** What lies beside archives; counts as one only where the pattern says so. */
const COMPANION = /\.(?:log|txt|md|sha1|sha256|sha512|md5|sum|sig|asc|json|ya?ml|pid|err|out)$/i;
const COMPANION_NAMES = /^(?:lost\+found|@eaDir|\.?snapshots?|checksums?|readme|latest|current)$/i;

/** A file that changed this recently may still be growing: longer than any pause of a dump over a slow line. */
const SETTLED_AFTER_MS = 300_000;
/** A day's archive is written on that day, or the one after. */
const DAY_ONLY_SPAN_MS = 48 * 3_600_000;

interface Candidate {
  readonly name: string;
  readonly atMs: number;
  readonly state: 'complete' | 'growing' | 'empty' | 'temporary';
}

const withoutMarks = (name: string): string => name.replace(TEMPORARY, '').replace(/^\.(.+)\.[A-Za-z0-9]{6}$/, '$1');

/** Null: it is none. */
const toCandidate = (entry: DirectoryEntry, pattern: ArchivePattern | null, nowMs: number): Candidate | null => {
  const { name, isEmpty, modifiedAtMs } = entry;
  const isTemporary = TEMPORARY.test(name) || HIDDEN.test(name);
  const plain = isTemporary ? withoutMarks(name) : name;
  const date = pattern === null ? (isCompanion(plain) ? undefined : null) : pattern.dateIn(plain);
  if (date === undefined) return null;
  const isRecent = Math.abs(nowMs - modifiedAtMs) < SETTLED_AFTER_MS;
  const atMs = date === null ? modifiedAtMs : date.dayOnly ? inDay(date.atMs, modifiedAtMs) : date.atMs;
  if (isRecent) return { name, atMs, state: 'growing' };
  if (isTemporary) return { name, atMs, state: 'temporary' };
  return { name, atMs, state: isEmpty ? 'empty' : 'complete' };
};

const isCompanion = (name: string): boolean => COMPANION.test(name) || COMPANION_NAMES.test(name) || HIDDEN.test(name);

/** A copied file's own time says when it was copied; that counts only where the name allows it. */
const inDay = (dayMs: number, modifiedAtMs: number): number =>
  modifiedAtMs >= dayMs && modifiedAtMs < dayMs + DAY_ONLY_SPAN_MS ? modifiedAtMs : dayMs;

export const chooseArchive = (
  entries: readonly DirectoryEntry[],
  pattern: ArchivePattern | null,
  nowMs: number,
): ArchivesResult => {
  const candidates = entries.flatMap((entry) => toCandidate(entry, pattern, nowMs) ?? []);
  const others = entries.filter(({ name }) => !isCompanion(name)).length;
  if (pattern !== null && candidates.length === 0 && others > 0) {
    return unread('failed', `none of the ${others} things in the directory has a name like the pattern: check it`);
  }
  const complete = candidates.filter(({ state }) => state === 'complete').map(({ atMs }) => atMs);
  const result = archivesOf(complete, nowMs);
  if (result.kind === 'unread') return result;
  return {
    ...result,
    growing: candidates.some(({ state }) => state === 'growing'),
    broken: brokenOf(candidates, result),
  };
};

/** The newest one that holds nothing, if nothing newer is well. */
const brokenOf = (candidates: readonly Candidate[], { newestGoodAtMs }: Archives): Archives['broken'] => {
  const empty = candidates.filter(
    ({ state, atMs }) => state === 'empty' && (newestGoodAtMs === null || atMs > newestGoodAtMs),
  );
  const newest = empty.toSorted((a, b) => b.atMs - a.atMs)[0];
  return newest === undefined ? null : { atMs: newest.atMs, reason: `${cleanText(newest.name, 120)} is empty` };
};
