import { describe, expect, it } from 'vitest';
import { archivePatternProblem, createArchivePattern } from '../../../src/sources/backups/archive-pattern.ts';

describe('createArchivePattern', () => {
  it.each([
    ['db-%Y-%m-%d.sql.gz', 'db-2026-01-31.sql.gz', '2026-01-30T23:00:00.000Z', true],
    ['%Y%m%d-%H%M%S*', '20260731-021500-full.tar', '2026-07-31T00:15:00.000Z', false],
    ['backup_%d.%m.%Y_%H.tgz', 'backup_01.12.2026_04.tgz', '2026-12-01T03:00:00.000Z', false],
    ['100%% (%Y-%m-%d)', '100% (2026-01-01)', '2025-12-31T23:00:00.000Z', true],
  ])('finds the date of %s in %s', (pattern, name, instant, dayOnly) => {
    expect(createArchivePattern(pattern, 'Europe/Vienna').dateIn(name)).toEqual({ atMs: Date.parse(instant), dayOnly });
  });

  it('matches whole names, and treats other signs as they stand', () => {
    const pattern = createArchivePattern('a.b+*', 'UTC');
    expect(pattern.dateIn('a.b+c')).toBeNull();
    expect(pattern.dateIn('axb+c')).toBeUndefined();
    const two = createArchivePattern('a*b*c', 'UTC');
    expect(['abc', 'a-b-c', 'abbcc'].map((name) => two.dateIn(name))).toEqual([null, null, null]);
    expect(['ac', 'abcd', 'xabc', 'acb'].map((name) => two.dateIn(name))).toEqual([
      undefined,
      undefined,
      undefined,
      undefined,
    ]);
    expect(createArchivePattern('ab*bc', 'UTC').dateIn('abc')).toBeUndefined();
    expect(createArchivePattern('%Y-%m-%d', 'UTC').dateIn('x2026-01-01')).toBeUndefined();
    expect(createArchivePattern('%Y-%m-%d', 'UTC').dateIn('2026-02-30')).toBeUndefined();
  });

  it.each([
    ['db-*.sql', null],
    ['%Y-%m-%d', null],
    ['%Y-%m-%d-%M', 'a time needs %H, then %M, then %S'],
    ['%Y-%Y-%m-%d', '%Y stands twice'],
    ['%Y-%m-%d%', '% is not known: use %Y, %m, %d, %H, %M, %S, and %% for a percent sign'],
  ])('says of %s what is wrong with it', (pattern, problem) => {
    expect(archivePatternProblem(pattern)).toBe(problem);
  });

  it('stays quick on names and patterns made to be slow', () => {
    const startedMs = performance.now();
    createArchivePattern('*a*a*a*a%Y%m%d', 'UTC').dateIn('a'.repeat(255));
    expect(performance.now() - startedMs).toBeLessThan(2_000);
  });
});
