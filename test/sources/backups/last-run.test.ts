import { describe, expect, it } from 'vitest';
import type { Archives } from '../../../src/sources/backups/archives.ts';
import { runOfBroken, runOfUnit } from '../../../src/sources/backups/last-run.ts';
import type { UnitRun } from '../../../src/sources/backups/unit-run.ts';

const START_MS = Date.UTC(2026, 5, 15, 2);
const run = (more: Partial<UnitRun> = {}): UnitRun => ({
  startedAtMs: START_MS,
  endedAtMs: START_MS + 600_000,
  result: 'success',
  exitStatus: 0,
  ...more,
});
const archives = (newestGoodAtMs: number | null): Archives => ({
  kind: 'read',
  count: newestGoodAtMs === null ? 0 : 1,
  newestGoodAtMs,
  growing: false,
  broken: null,
});

describe('runOfUnit', () => {
  it.each([
    ['restic', 'success', 0, START_MS + 1_000, 'ok', true],
    ['restic', 'success', 0, START_MS - 86_400_000, 'ok', false],
    ['restic', 'exit-code', 1, START_MS - 86_400_000, 'failed', false],
    ['restic', 'exit-code', 3, START_MS + 1_000, 'warnings', true],
    ['restic', 'exit-code', 3, START_MS - 86_400_000, 'failed', false],
    ['restic', 'exit-code', 1, START_MS + 1_000, 'failed', true],
    ['borg', 'exit-code', 1, START_MS + 1_000, 'warnings', true],
    ['borg', 'exit-code', 107, START_MS + 1_000, 'warnings', true],
    ['borg', 'exit-code', 2, null, 'failed', false],
    ['directory', 'exit-code', 1, START_MS + 1_000, 'failed', true],
    ['directory', 'timeout', 0, START_MS + 86_400_000, 'failed', true],
  ])(
    'says of %s with %s %i and the newest archive at %s: %s, left one: %s',
    (type, result, exitStatus, newest, outcome, leftArchive) => {
      expect(runOfUnit(type, 'b.service', run({ result, exitStatus }), archives(newest))).toMatchObject({
        outcome,
        leftArchive,
      });
    },
  );

  it('says what went wrong', () => {
    const reasonOf = (result: string, exitStatus = 1) =>
      runOfUnit('restic', 'b.service', run({ result, exitStatus }), archives(null)).reason;
    expect(reasonOf('success', 0)).toBeNull();
    expect(reasonOf('exit-code', 12)).toBe('b.service ended with status 12');
    expect(reasonOf('oom-kill')).toBe('b.service was killed because memory ran out');
    expect(reasonOf('something-new')).toBe('b.service failed (something-new)');
  });

  it('forgives clocks that differ by minutes', () => {
    expect(runOfUnit('borg', 'b.service', run(), archives(START_MS - 60_000)).leftArchive).toBe(true);
  });
});

describe('runOfBroken', () => {
  it('takes an archive with nothing in it for a failed run', () => {
    expect(runOfBroken({ ...archives(null), broken: { atMs: START_MS, reason: 'a.sql is empty' } })).toEqual({
      startedAtMs: null,
      endedAtMs: START_MS,
      outcome: 'failed',
      leftArchive: false,
      reason: 'a.sql is empty',
    });
    expect(runOfBroken(archives(START_MS))).toBeNull();
  });
});
