/** Signals, findings and stores for the tests of the lifecycle. */
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { type Filing, filingOfSignal, type Report } from '../../findings/filing.ts';
import type { Finding } from '../../findings/finding.ts';
import { open } from '../../findings/open.ts';
import { createFindingStore, type FindingStore } from '../../findings/store.ts';
import type { Level, Signal, Verdict } from '../../signals/detector.ts';
import type { Reading } from '../../signals/reading.ts';
import { asResourceId } from '../../signals/resource.ts';
import { type Database, openDatabase } from '../../src/runtime/database.ts';
import { createIds } from '../../src/runtime/ids.ts';
import { temporaryDirectory } from './temporary-directory.ts';

export const NOW_MS = Date.UTC(2026, 2, 10, 12);
export const MINUTE_MS = 60_000;
export const HOUR_MS = 60 * MINUTE_MS;
export const DAY_MS = 24 * HOUR_MS;

export const DETECTORS: ReadonlySet<string> = new Set([
  'high_disk',
  'high_cpu',
  'smart_failure',
  'backup_failed',
  'source_unavailable',
  'target_down',
]);

export const percent = (value: number, trigger = 75): Level => ({
  value,
  unit: 'percent',
  limit: { trigger, clear: trigger - 5, origin: { kind: 'default' } },
});

export const signalOf = (more: Partial<Signal> = {}): Signal => {
  const type = more.type ?? 'high_disk';
  const subject = more.subject ?? null;
  return {
    type,
    resourceId: asResourceId('nas1/filesystem/srv'),
    subject,
    key: subject === null ? type : `${type}:${subject}`,
    severity: 'warning',
    category: 'capacity',
    title: 'Space is running out',
    summary: '80 % used, limit 75 %',
    clearsWhen: 'use is back at 70 % or less',
    level: percent(80),
    sinceMs: NOW_MS,
    evidence: ['e1'],
    details: {},
    sourceIds: ['host'],
    ...more,
  };
};

export const reportOf = (more: Partial<Report> = {}): Report => ({
  resourceId: asResourceId('nas1/filesystem/srv'),
  key: 'old-snapshots-pile-up',
  severity: 'warning',
  category: 'capacity',
  title: 'Old snapshots pile up',
  summary: 'Forty snapshots older than a year hold 300 GiB',
  evidence: ['e1'],
  sourceIds: ['host'],
  ...more,
});

export const filingOf = (more: Partial<Signal> = {}): Filing => filingOfSignal(signalOf(more), 'run-1');

/** A finding as a signal opens it. */
export const findingOf = (more: Partial<Signal> = {}, changed: Partial<Finding> = {}): Finding => {
  const signal = signalOf(more);
  const identity = { id: 'f1', resourceId: signal.resourceId, key: signal.key };
  return { ...open(identity, filingOf(more), NOW_MS).finding, ...changed };
};

type VerdictOf<S extends Verdict['state']> = Omit<Extract<Verdict, { readonly state: S }>, 'state' | 'memory'>;

export const clearOf = ({ type, resourceId, subject }: Signal): Verdict => ({
  state: 'clear',
  detector: type,
  resourceId,
  subject,
  memory: null,
});

export const raisedOf = (signal: Signal): Verdict => ({
  state: 'raised',
  detector: signal.type,
  resourceId: signal.resourceId,
  subject: signal.subject,
  memory: null,
  signal,
});

export const unobservedOf = (signal: Signal, more: Partial<VerdictOf<'unobserved'>> = {}): Verdict => ({
  state: 'unobserved',
  detector: signal.type,
  resourceId: signal.resourceId,
  subject: signal.subject,
  code: 'timed_out',
  reason: 'the source did not answer in time',
  retryAtMs: null,
  memory: null,
  ...more,
});

export const readingOf = (id: string): Reading => ({
  id,
  kind: 'filesystem',
  resourceId: asResourceId('nas1/filesystem/srv'),
  sourceId: 'host',
  takenAtMs: NOW_MS,
  receivedAtMs: NOW_MS,
  sizeBytes: 100,
  usedBytes: 80,
  availableBytes: 20,
  inodesTotal: 1000,
  inodesFree: 900,
  superblockReadOnly: false,
});

export const runAt = (nowMs: number, runId = `run-${nowMs}`) => ({ nowMs, runId, readingOf });

export interface OpenStore {
  readonly store: FindingStore;
  readonly db: Database;
  readonly path: string;
}

export const openStore = (path = join(temporaryDirectory(), 'patrold.db')): OpenStore => {
  const db = openDatabase({ path });
  onTestFinished(() => {
    db.close();
  });
  let made = 0;
  // Ids in the order in which they were made, also within one test that stands still in time.
  const newId = createIds(() => NOW_MS + made++);
  return { store: createFindingStore({ db, newId, detectorTypes: DETECTORS }), db, path };
};

export const kindsOf = (rows: readonly { readonly kind: string }[]): readonly string[] => rows.map(({ kind }) => kind);
