/** Episodes of findings: one open per active finding, which the database enforces. */
import { type Severity, severityRank } from '../../signals/detector.ts';
import type { Database } from '../../src/runtime/database.ts';
import { and, asc, eq, inArray, sql } from '../../src/runtime/drizzle.ts';
import type { FiledBy, Finding, FindingId, Resolution, ResolvedBy } from '../finding.ts';
import { episodes } from '../schema.ts';
import { named, parameters } from './columns.ts';
import { severityOf } from './finding-row.ts';

export interface Episode {
  /** The finding in which it was counted; since merged into another one, perhaps. */
  readonly findingId: FindingId;
  readonly number: number;
  readonly filedBy: FiledBy;
  readonly startedAtMs: number;
  readonly endedAtMs: number | null;
  readonly endedBy: ResolvedBy | null;
  readonly reason: string | null;
  readonly worst: Severity;
}

export interface EpisodeTable {
  /** Brings the episodes in line with what became of the finding. */
  follow(before: Finding | null, after: Finding): void;
  of(ids: readonly FindingId[]): readonly Episode[];
}

export const createEpisodeTable = ({ orm, prepare }: Database): EpisodeTable => {
  const isThis = and(eq(episodes.findingId, named('findingId')), eq(episodes.number, named('number')));
  const insert = prepare(orm.insert(episodes).values(parameters(episodes)));
  const end = prepare(
    orm
      .update(episodes)
      .set({ endedAtMs: named('endedAtMs'), endedBy: named('endedBy'), reason: named('reason') })
      .where(isThis),
  );
  const worsen = prepare(
    orm
      .update(episodes)
      .set({ worstRank: sql`max(${episodes.worstRank}, ${named('rank')})` })
      .where(isThis),
  );

  const start = (finding: Finding): void => {
    insert.run({
      findingId: finding.id,
      number: finding.episode,
      filedBy: finding.filedBy,
      startedAtMs: finding.openedAtMs,
      endedAtMs: null,
      endedBy: null,
      reason: null,
      worstRank: severityRank(finding.severity),
    });
  };
  const close = ({ id, episode }: Finding, resolution: Resolution | null): void => {
    const { atMs = null, by = null, reason = null } = resolution ?? {};
    end.run({ findingId: id, number: episode, endedAtMs: atMs, endedBy: by, reason });
  };
  return {
    follow: (before, after) => {
      if (before === null || after.episode !== before.episode) start(after);
      else if (before.state !== after.state) close(after, after.resolution);
      if (
        before !== null &&
        after.episode === before.episode &&
        severityRank(after.severity) > severityRank(before.severity)
      ) {
        worsen.run({ findingId: after.id, number: after.episode, rank: severityRank(after.severity) });
      }
    },
    of: (ids) =>
      orm
        .select()
        .from(episodes)
        .where(inArray(episodes.findingId, [...ids]))
        .orderBy(asc(episodes.startedAtMs), asc(episodes.number))
        .all()
        .map(fromRow),
  };
};

const fromRow = ({ worstRank, filedBy, endedBy, ...row }: typeof episodes.$inferSelect): Episode => ({
  ...row,
  filedBy: filedBy as FiledBy,
  endedBy: endedBy as ResolvedBy | null,
  worst: severityOf(worstRank),
});
