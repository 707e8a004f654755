/** What the tools to look are given: one run's evidence, and what is remembered, to read and never to change. */
import type { FindingStore } from '../../findings/store.ts';
import type { Ledger } from '../evidence/ledger.ts';
import type { EvidenceBook } from './evidence-book.ts';
import type { LogDesk } from './log-desk.ts';
import type { Past } from './past.ts';
import type { ResourceLookup } from './resource-lookup.ts';

export interface LookingContext {
  readonly runId: string;
  /** The run's one look at the wall clock. */
  readonly nowMs: number;
  readonly ledger: Ledger;
  readonly resources: ResourceLookup;
  readonly evidence: EvidenceBook;
  readonly past: Past;
  readonly logs: LogDesk;
  readonly findings: Pick<FindingStore, 'list' | 'find' | 'details' | 'assessmentsIn' | 'operatorStates'>;
  /** Characters that one result may have; at least `MIN_RESULT_LENGTH`. */
  readonly resultLength: number;
}
