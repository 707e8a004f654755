/** A finding <-> its row. */
import { type Category, SEVERITIES, type Severity, severityRank } from '../../signals/detector.ts';
import { asResourceId } from '../../signals/resource.ts';
import type { SqlValue } from '../../src/runtime/statement.ts';
import {
  type Absence,
  type Citation,
  type Disposition,
  type FiledBy,
  type Finding,
  type FindingState,
  type Fix,
  type Resolution,
  type Stale,
  undecided,
} from '../finding.ts';
import { keyType } from '../identity.ts';
import { type Investigation, neverInvestigated } from '../investigation.ts';
import type { findings } from '../schema.ts';
import { wakesAtMs } from '../transition.ts';

export type FindingRow = typeof findings.$inferSelect;

export const severityOf = (rank: number): Severity => SEVERITIES[rank] ?? 'critical';

const orNull = (value: object | null): string | null => (value === null ? null : JSON.stringify(value));
const EMPTY = '{}';
const NEVER = JSON.stringify(neverInvestigated);
const json = (value: object): string => {
  for (const _ in value) return JSON.stringify(value);
  return EMPTY;
};

export const toRow = (finding: Finding): { readonly [K in keyof FindingRow]: SqlValue } => {
  const { disposition, resolution } = finding;
  return {
    id: finding.id,
    resourceId: finding.resourceId,
    key: finding.key,
    keyType: keyType(finding.key),
    detector: finding.detector,
    filedBy: finding.filedBy,
    severityRank: severityRank(finding.severity),
    category: finding.category,
    title: finding.title,
    summary: finding.summary,
    explanation: finding.explanation,
    clearsWhen: finding.clearsWhen,
    level: orNull(finding.level),
    details: json(finding.details),
    sourceIds: JSON.stringify(finding.sourceIds),
    evidence: orNull(finding.evidence),
    declineReason: finding.declineReason,
    state: finding.state,
    stateAtMs: resolution?.atMs ?? finding.openedAtMs,
    disposition: disposition.kind,
    dispositionData: disposition.kind === 'none' ? null : JSON.stringify(disposition),
    suppressionId: disposition.kind === 'suppressed' ? disposition.suppressionId : null,
    wakesAtMs: wakesAtMs(finding),
    stale: orNull(finding.stale),
    absence: orNull(finding.absence),
    foldedUnder: finding.foldedUnder,
    resolution: orNull(resolution),
    awaitsClear: resolution?.confirmed === false ? 1 : 0,
    episode: finding.episode,
    regressions: finding.regressions,
    firstSeenAtMs: finding.firstSeenAtMs,
    openedAtMs: finding.openedAtMs,
    sinceMs: finding.sinceMs,
    lastSeenAtMs: finding.lastSeenAtMs,
    lastSignalAtMs: finding.lastSignalAtMs,
    investigation: finding.investigation === neverInvestigated ? NEVER : JSON.stringify(finding.investigation),
    lastFix: orNull(finding.lastFix),
  };
};

/** What patrold wrote itself is believed to have the shape that it was written in. */
const read = <T>(text: string | null): T | null => (text === null ? null : (JSON.parse(text) as T));
const readObject = <T>(text: string): T => JSON.parse(text) as T;

export const fromRow = (row: FindingRow): Finding => ({
  id: row.id,
  resourceId: asResourceId(row.resourceId),
  key: row.key,
  detector: row.detector,
  filedBy: row.filedBy as FiledBy,
  severity: severityOf(row.severityRank),
  category: row.category as Category,
  title: row.title,
  summary: row.summary,
  explanation: row.explanation,
  clearsWhen: row.clearsWhen,
  level: read(row.level),
  details: row.details === EMPTY ? {} : readObject(row.details),
  sourceIds: readObject(row.sourceIds),
  evidence: read<Citation>(row.evidence),
  declineReason: row.declineReason,
  state: row.state as FindingState,
  disposition: read<Disposition>(row.dispositionData) ?? undecided,
  stale: read<Stale>(row.stale),
  absence: read<Absence>(row.absence),
  foldedUnder: row.foldedUnder,
  resolution: read<Resolution>(row.resolution),
  episode: row.episode,
  regressions: row.regressions,
  firstSeenAtMs: row.firstSeenAtMs,
  openedAtMs: row.openedAtMs,
  sinceMs: row.sinceMs,
  lastSeenAtMs: row.lastSeenAtMs,
  lastSignalAtMs: row.lastSignalAtMs,
  investigation: row.investigation === NEVER ? neverInvestigated : readObject<Investigation>(row.investigation),
  lastFix: read<Fix>(row.lastFix),
});
