/** What `find` prints of each thing in a directory. Pure. */

export interface DirectoryEntry {
  readonly name: string;
  readonly isDirectory: boolean;
  /** A file of no bytes, a directory with nothing in it. */
  readonly isEmpty: boolean;
  readonly modifiedAtMs: number;
}

const RECORD = /^(empty|full)\t([fd])\t(\d+)\t(-?\d+(?:\.\d+)?)\t(.+)$/s;

/** Null where a record is not what was asked for. */
export const parseEntries = (stdout: string): readonly DirectoryEntry[] | null => {
  const entries: DirectoryEntry[] = [];
  for (const record of stdout.split('\0')) {
    if (record === '') continue;
    const [, fill, type, , seconds, name] = RECORD.exec(record) ?? [];
    if (name === undefined) return null;
    entries.push({
      name,
      isDirectory: type === 'd',
      isEmpty: fill === 'empty',
      modifiedAtMs: Math.round(Number(seconds) * 1_000),
    });
  }
  return entries;
};
