import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createArchivePattern } from '../../../src/sources/backups/archive-pattern.ts';
import { chooseArchive } from '../../../src/sources/backups/choose-archive.ts';
import type { DirectoryEntry } from '../../../src/sources/backups/directory-entry.ts';

const NOW_MS = Date.UTC(2026, 5, 15, 12);
const HOUR_MS = 3_600_000;
const entry = (name: string, agoHours: number, more: Partial<DirectoryEntry> = {}): DirectoryEntry => ({
  name,
  isDirectory: false,
  isEmpty: false,
  modifiedAtMs: NOW_MS - agoHours * HOUR_MS,
  ...more,
});
const dated = createArchivePattern('db-%Y-%m-%d.sql.gz', 'UTC');
const choose = (entries: readonly DirectoryEntry[], pattern = dated) => chooseArchive(entries, pattern, NOW_MS);

describe('chooseArchive', () => {
  it('takes the newest complete one, by the time it was written on its day', () => {
    expect(choose([entry('db-2026-06-14.sql.gz', 34), entry('db-2026-06-15.sql.gz', 10)])).toEqual({
      kind: 'read',
      count: 2,
      newestGoodAtMs: NOW_MS - 10 * HOUR_MS,
      growing: false,
      broken: null,
    });
  });

  it('believes the name more than the time of a file that was copied later', () => {
    const result = choose([entry('db-2026-06-01.sql.gz', 1)]);
    expect(result).toMatchObject({ newestGoodAtMs: Date.UTC(2026, 5, 1) });
  });

  it('does not count one that is still being written, and says that one is', () => {
    expect(choose([entry('db-2026-06-14.sql.gz', 34), entry('db-2026-06-15.sql.gz', 0.01)])).toMatchObject({
      newestGoodAtMs: NOW_MS - 34 * HOUR_MS,
      growing: true,
      broken: null,
    });
    expect(choose([entry('db-2026-06-15.sql.gz.part', 0.01)])).toMatchObject({ newestGoodAtMs: null, growing: true });
    expect(choose([entry('.db-2026-06-15.sql.gz.Ab3xY9', 0.01)])).toMatchObject({ growing: true });
  });

  it('does not count what was left behind half written', () => {
    expect(choose([entry('db-2026-06-15.sql.gz.tmp', 5), entry('db-2026-06-13.sql.gz~', 5)])).toMatchObject({
      newestGoodAtMs: null,
      growing: false,
      count: 0,
    });
  });

  it('tells a file of no bytes for what a failed run has left', () => {
    expect(
      choose([entry('db-2026-06-14.sql.gz', 34), entry('db-2026-06-15.sql.gz', 10, { isEmpty: true })]),
    ).toMatchObject({
      newestGoodAtMs: NOW_MS - 34 * HOUR_MS,
      broken: { atMs: NOW_MS - 10 * HOUR_MS, reason: 'db-2026-06-15.sql.gz is empty' },
    });
    expect(
      choose([entry('db-2026-06-14.sql.gz', 34, { isEmpty: true }), entry('db-2026-06-15.sql.gz', 10)]),
    ).toMatchObject({
      broken: null,
    });
  });

  it('goes by modification times where names hold no date', () => {
    const any = createArchivePattern('daily.*', 'UTC');
    const rotated = [0, 1, 2].map((index) => entry(`daily.${index}`, 10 + index * 24, { isDirectory: true }));
    expect(choose(rotated, any)).toMatchObject({ count: 3, newestGoodAtMs: NOW_MS - 10 * HOUR_MS });
  });

  it('without a pattern leaves out what only lies beside archives', () => {
    const entries = ['a.tar', 'a.tar.sha256', 'backup.log', 'README', 'lost+found', '.hidden'].map((name, index) =>
      entry(name, 40 - index),
    );
    expect(chooseArchive(entries, null, NOW_MS)).toMatchObject({ count: 1, newestGoodAtMs: NOW_MS - 40 * HOUR_MS });
  });

  it('takes an empty directory for a fact, and names that never match for a mistake', () => {
    expect(choose([])).toMatchObject({ kind: 'read', newestGoodAtMs: null, count: 0 });
    expect(choose([entry('lost+found', 999, { isDirectory: true })])).toMatchObject({ kind: 'read', count: 0 });
    expect(choose([entry('dump.sql', 5)])).toMatchObject({ kind: 'unread', code: 'failed' });
  });

  it('believes no date of the future', () => {
    expect(choose([entry('db-2027-01-01.sql.gz', 10)])).toMatchObject({ kind: 'unread', code: 'future' });
    expect(choose([entry('db-2027-01-01.sql.gz', 10), entry('db-2026-06-14.sql.gz', 34)])).toMatchObject({
      newestGoodAtMs: NOW_MS - 34 * HOUR_MS,
    });
  });

  it('never takes something unfinished, or of the future, for good', () => {
    const one = fc.record({
      name: fc.constantFrom(
        'db-2026-06-14.sql.gz',
        'db-2026-06-15.sql.gz',
        'db-2026-06-16.sql.gz',
        'db-2026-06-15.sql.gz.tmp',
        'x',
      ),
      agoHours: fc.double({ min: -48, max: 100, noNaN: true }),
      isEmpty: fc.boolean(),
    });
    fc.assert(
      fc.property(fc.array(one, { maxLength: 12 }), (things) => {
        const entries = things.map(({ name, agoHours, isEmpty }) => entry(name, agoHours, { isEmpty }));
        const result = choose(entries);
        if (result.kind === 'unread' || result.newestGoodAtMs === null) return;
        const { newestGoodAtMs } = result;
        expect(newestGoodAtMs).toBeLessThanOrEqual(NOW_MS + 300_000);
        expect(
          entries.some(
            ({ name, isEmpty, modifiedAtMs }) =>
              !isEmpty && name.endsWith('.gz') && Math.abs(NOW_MS - modifiedAtMs) >= 300_000,
          ),
        ).toBe(true);
      }),
    );
  });
});
