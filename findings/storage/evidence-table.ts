/** Readings that findings cite, kept as they were. */
import type { Database } from '../../src/runtime/database.ts';
import { and, asc, eq, inArray, sql } from '../../src/runtime/drizzle.ts';
import type { Citation, Finding, FindingId, RunId } from '../finding.ts';
import type { Entry, EntryKind } from '../history-entry.ts';
import { evidence } from '../schema.ts';
import { named, parameters } from './columns.ts';
import { withoutSecrets } from './kept-text.ts';

/** Characters of one reading's JSON; the largest real ones (SMART, with its logs) have some 8,000. */
export const MAX_BODY_LENGTH = 32_768;

export interface CitedReading {
  readonly findingId: FindingId;
  readonly runId: string;
  readonly readingId: string;
  readonly sourceId: string;
  readonly kind: string;
  readonly takenAtMs: number;
  /** JSON; null: it was larger than what is kept. */
  readonly body: string | null;
}

export interface EvidenceTable {
  /** Keeps what the finding stands on now. What only an earlier look stood on goes; what history tells of stays. */
  follow(before: Finding | null, after: Finding, entries: readonly Entry[], run: EvidenceOfRun): void;
  /** Keeps what something else about the finding cites; unless it is told, until the finding stands on newer readings. */
  keep(findingId: FindingId, citation: Citation, told: boolean, readingOf: ReadingOf): void;
  of(ids: readonly FindingId[]): readonly CitedReading[];
}

/** A reading, or what a tool looked up beyond the readings; kept as JSON with all that it holds. */
export interface Citable {
  readonly sourceId: string;
  readonly kind: string;
  readonly takenAtMs: number;
}

export type ReadingOf = (id: string) => Citable | null;

export interface EvidenceOfRun {
  readonly runId: RunId | null;
  readonly readingOf: ReadingOf;
}

/** Transitions that a later reader wants to see the readings of. */
const TOLD: readonly EntryKind[] = ['opened', 'regressed', 'reopened', 'worsened', 'eased', 'escalated'];

export const createEvidenceTable = ({ orm, prepare }: Database): EvidenceTable => {
  const insert = prepare(
    orm
      .insert(evidence)
      .values(parameters(evidence))
      .onConflictDoUpdate({
        target: [evidence.findingId, evidence.runId, evidence.readingId],
        set: { told: sql`max(${evidence.told}, excluded.told)` },
      }),
  );
  const forget = prepare(
    orm.delete(evidence).where(and(eq(evidence.findingId, named('findingId')), eq(evidence.told, 0))),
  );
  const cite = (findingId: FindingId, { runId, ids }: Citation, told: boolean, readingOf: ReadingOf): void => {
    for (const readingId of ids) {
      const reading = readingOf(readingId);
      if (reading === null) continue;
      const { sourceId, kind, takenAtMs } = reading;
      insert.run({ findingId, runId, readingId, sourceId, kind, takenAtMs, body: bodyOf(reading), told: told ? 1 : 0 });
    }
  };
  return {
    follow: (before, after, entries, { runId, readingOf }) => {
      if (after.evidence === null || after.evidence === before?.evidence) return;
      // Ids of readings mean something within their run alone; what another run cited is kept already.
      if (after.evidence.runId !== runId) return;
      if (before !== null) forget.run({ findingId: after.id });
      cite(
        after.id,
        after.evidence,
        entries.some(({ kind }) => TOLD.includes(kind)),
        readingOf,
      );
    },
    keep: cite,
    of: (ids) =>
      orm
        .select()
        .from(evidence)
        .where(inArray(evidence.findingId, [...ids]))
        .orderBy(asc(evidence.takenAtMs))
        .limit(MAX_READ)
        .all()
        .map(({ told: _, ...row }) => row),
  };
};

/** Readings that one answer about a finding holds. */
const MAX_READ = 500;

const bodyOf = (reading: Citable): string | null => {
  const body = JSON.stringify(reading, withoutSecrets);
  return body.length <= MAX_BODY_LENGTH ? body : null;
};
