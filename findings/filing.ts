/** What is filed: a detector's signal, or the report of a model or a person, brought to one shape. */
import type { Category, Level, Severity, Signal } from '../signals/detector.ts';
import type { EvidenceId } from '../signals/reading.ts';
import type { Facts, ResourceId, SourceId } from '../signals/resource.ts';
import type { Citation, RunId } from './finding.ts';
import { type Actor, patrold } from './history-entry.ts';

export interface Filing {
  readonly origin: 'model' | 'signal' | 'operator';
  readonly actor: Actor;
  /** Owner of the key; null: no detector knows it. */
  readonly detector: string | null;
  readonly severity: Severity;
  readonly category: Category;
  readonly title: string;
  readonly summary: string;
  readonly clearsWhen: string | null;
  readonly level: Level | null;
  readonly details: Facts;
  readonly sourceIds: readonly SourceId[];
  readonly evidence: Citation | null;
  /** Null: since now. */
  readonly sinceMs: number | null;
}

/** What a model or a person reports. Text is cleaned by the store before it is kept. */
export interface Report {
  readonly resourceId: ResourceId;
  readonly key: string;
  readonly severity: Severity;
  readonly category: Category;
  readonly title: string;
  readonly summary: string;
  readonly evidence: readonly EvidenceId[];
  readonly sourceIds: readonly SourceId[];
}

/** Readings that one finding cites at most from one run. */
export const MAX_CITED = 32;

const cite = (runId: RunId | null, ids: readonly EvidenceId[]): Citation | null => {
  if (runId === null || ids.length === 0) return null;
  if (ids.length <= MAX_CITED) return { runId, ids };
  return { runId, ids: ids.slice(0, MAX_CITED), omitted: ids.length - MAX_CITED };
};

export const filingOfSignal = (signal: Signal, runId: RunId | null): Filing => ({
  origin: 'signal',
  actor: patrold,
  detector: signal.type,
  severity: signal.severity,
  category: signal.category,
  title: signal.title,
  summary: signal.summary,
  clearsWhen: signal.clearsWhen,
  level: signal.level,
  details: signal.details,
  sourceIds: signal.sourceIds,
  evidence: cite(runId, signal.evidence),
  sinceMs: signal.sinceMs,
});

export const filingOfReport = (report: Report, actor: Actor, detector: string | null, runId: RunId | null): Filing => ({
  origin: actor.kind === 'operator' ? 'operator' : 'model',
  actor,
  detector,
  severity: report.severity,
  category: report.category,
  title: report.title,
  summary: report.summary,
  clearsWhen: null,
  level: null,
  details: {},
  sourceIds: report.sourceIds,
  evidence: cite(runId, report.evidence),
  sinceMs: null,
});
