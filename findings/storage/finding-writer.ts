/** Writes what an event made of a finding: its row, its episode, its evidence, its history. The caller holds the transaction. */
import type { Database } from '../../src/runtime/database.ts';
import type { FindingEvent } from '../event.ts';
import type { Finding, FindingId } from '../finding.ts';
import type { History } from '../history.ts';
import type { Outcome, Step } from '../step.ts';
import { transition } from '../transition.ts';
import type { WriteContext } from './context.ts';
import { createEpisodeTable, type EpisodeTable } from './episode-table.ts';
import { createEvidenceTable, type EvidenceTable } from './evidence-table.ts';
import { createFindingTable, type FindingTable } from './finding-table.ts';

export interface FindingWriter {
  readonly table: FindingTable;
  readonly episodes: EpisodeTable;
  readonly evidence: EvidenceTable;
  readonly history: History;
  /** `before: null`: it is new. */
  write(before: Finding | null, step: Step, context: WriteContext): void;
  /** Applies an event; null: there is no such finding. */
  apply(id: FindingId, event: FindingEvent, context: WriteContext): Outcome | null;
}

export const createFindingWriter = (db: Database, history: History): FindingWriter => {
  const table = createFindingTable(db);
  const episodes = createEpisodeTable(db);
  const evidence = createEvidenceTable(db);

  const write = (before: Finding | null, { finding, entries }: Step, context: WriteContext): void => {
    if (before === null) table.insert(finding);
    else if (finding !== before) table.update(before, finding);
    if (finding !== before) {
      episodes.follow(before, finding);
      evidence.follow(before, finding, entries, context);
    }
    history.append(finding.id, entries, context);
  };

  return {
    table,
    episodes,
    evidence,
    history,
    write,
    apply: (id, event, context) => {
      const before = table.byId(id);
      if (before === null) return null;
      const outcome = transition(before, event, context.nowMs);
      if (outcome.ok) write(before, outcome, context);
      return outcome;
    },
  };
};
