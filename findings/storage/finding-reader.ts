/** Single findings with all that is kept of them, and the sets that a run asks for. */
import type { Finding } from '../finding.ts';
import type { HistoryRow } from '../history.ts';
import type { Episode } from './episode-table.ts';
import type { CitedReading } from './evidence-table.ts';
import type { FindingIds } from './finding-ids.ts';
import type { FindingWriter } from './finding-writer.ts';
import { present } from './verb-desk.ts';

export interface FindingDetails {
  readonly finding: Finding;
  /** Oldest first, those of findings that were merged into it among them. */
  readonly episodes: readonly Episode[];
  /** The oldest `HISTORY_PAGE`; `historyOf` reads on. */
  readonly history: readonly HistoryRow[];
  readonly historyIsWhole: boolean;
  readonly evidence: readonly CitedReading[];
}

export interface FindingReader {
  /** Throws `finding_not_found` or `finding_id_ambiguous`. */
  find(typed: string): Finding;
  details(typed: string): FindingDetails;
  historyOf(typed: string, afterSeq: number, limit: number): readonly HistoryRow[];
  /** History of all findings, for whoever follows it: notifications, the page. */
  historySince(afterSeq: number, limit: number): readonly HistoryRow[];
  active(): readonly Finding[];
  /** Active, or closed by hand and not confirmed yet: what `reconcile` takes. */
  open(): readonly Finding[];
}

export const HISTORY_PAGE = 200;
const LARGEST_HISTORY_PAGE = 1000;

export const createFindingReader = ({
  writer,
  ids,
}: {
  readonly writer: FindingWriter;
  readonly ids: FindingIds;
}): FindingReader => {
  const { table, episodes, evidence, history } = writer;
  const bounded = (limit: number): number => Math.min(Math.max(1, Math.floor(limit)), LARGEST_HISTORY_PAGE);
  return {
    find: (typed) => present(writer, ids.resolve(typed)),
    details: (typed) => {
      const finding = present(writer, ids.resolve(typed));
      const family = ids.family(finding.id);
      const rows = history.of(family, 0, HISTORY_PAGE + 1);
      return {
        finding,
        episodes: episodes.of(family),
        history: rows.slice(0, HISTORY_PAGE),
        historyIsWhole: rows.length <= HISTORY_PAGE,
        evidence: evidence.of(family),
      };
    },
    historyOf: (typed, afterSeq, limit) => history.of(ids.family(ids.resolve(typed)), afterSeq, bounded(limit)),
    historySince: (afterSeq, limit) => history.since(afterSeq, bounded(limit)),
    active: table.active,
    open: table.open,
  };
};
