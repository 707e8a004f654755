/** The context of one run's tools, from what the run has surveyed and what is kept. */
import type { Actor } from '../../findings/history-entry.ts';
import type { FindingStore } from '../../findings/store.ts';
import type { AnyDetector } from '../../signals/detector.ts';
import type { LimitResolver } from '../../signals/limits.ts';
import { createHistory } from '../evidence/history.ts';
import type { Ledger } from '../evidence/ledger.ts';
import type { SampleStore } from '../evidence/sample-store.ts';
import type { VerdictStore } from '../evidence/verdict-store.ts';
import type { Source } from '../sources/source.ts';
import { createEvidenceBook } from './evidence-book.ts';
import type { FilingContext } from './filing-context.ts';
import { createLogDesk } from './log-desk.ts';
import { createPast } from './past.ts';
import { createResourceLookup } from './resource-lookup.ts';
import { createVerdictLookup } from './verdict-lookup.ts';

export interface OpenToolsInput {
  readonly runId: string;
  readonly nowMs: number;
  readonly ledger: Ledger;
  readonly detectors: readonly AnyDetector[];
  readonly limits: LimitResolver;
  readonly sources: readonly Pick<Source, 'id' | 'readLog'>[];
  readonly actor: Actor;
  /** Characters that one result may have. */
  readonly resultLength: number;
  readonly onFiled: FilingContext['onFiled'];
}

export interface OpenToolsDeps {
  readonly findings: FindingStore;
  readonly samples: SampleStore;
  readonly verdicts: VerdictStore;
}

export const openTools = ({ findings, samples, verdicts }: OpenToolsDeps, input: OpenToolsInput): FilingContext => {
  const { runId, nowMs, ledger, detectors, limits, sources, actor, resultLength, onFiled } = input;
  return {
    runId,
    nowMs,
    ledger,
    actor,
    resultLength,
    onFiled,
    findings,
    resources: createResourceLookup(ledger),
    evidence: createEvidenceBook(ledger),
    past: createPast(ledger, samples, nowMs),
    logs: createLogDesk({ ledger, sources, nowMs }),
    verdicts: createVerdictLookup({
      ledger,
      detectors,
      limits,
      history: createHistory(ledger.series, samples, nowMs),
      memories: verdicts.load(ledger.change.merged),
      findings,
      nowMs,
    }),
  };
};
