/** How fast signals become findings, beside bare better-sqlite3 writing the same rows into the same tables. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import BetterSqlite3, { type Database as Sqlite } from 'better-sqlite3';
import { createFindingStore, type FindingStore } from '../findings/store.ts';
import type { Signal } from '../signals/detector.ts';
import type { Reading } from '../signals/reading.ts';
import { asResourceId } from '../signals/resource.ts';
import { openDatabase } from '../src/runtime/database.ts';
import { createIds } from '../src/runtime/ids.ts';
import { median } from './machine.ts';

const NOW_MS = Date.UTC(2026, 0, 15);
const SINGLY = 500;
const BATCHED = 10_000;
/** The size of the store's own batches, so that both commit equally often. */
const BATCH = 500;
const ROUNDS = 5;
/** Everything that filing writes. */
const TABLES = ['findings', 'episodes', 'finding_history', 'evidence'] as const;

const reading = (index: number): Reading => ({
  id: `e${index}`,
  kind: 'filesystem',
  resourceId: asResourceId(`host${index}/filesystem/srv`),
  sourceId: 'metrics',
  takenAtMs: NOW_MS,
  receivedAtMs: NOW_MS,
  sizeBytes: 1e11,
  usedBytes: 9.7e10,
  availableBytes: 3e9,
  inodesTotal: 6e6,
  inodesFree: 5e6,
  superblockReadOnly: false,
});

const signal = (index: number): Signal => ({
  type: 'high_disk',
  resourceId: asResourceId(`host${index}/filesystem/srv`),
  subject: null,
  key: 'high_disk',
  severity: index % 7 === 0 ? 'critical' : 'warning',
  category: 'capacity',
  title: 'Space is running out',
  summary: '97 % of 93.1 GiB used, limit 95 %, 2.8 GiB left',
  clearsWhen: 'use is back at 90 % or less',
  level: { value: 97, unit: 'percent', limit: { trigger: 95, clear: 90, origin: { kind: 'default' } } },
  sinceMs: NOW_MS,
  evidence: [`e${index}`],
  details: {},
  sourceIds: ['metrics'],
});

interface Opened {
  readonly path: string;
  readonly store: FindingStore;
  close(): void;
}

const open = (directory: string, name: string): Opened => {
  const path = join(directory, name);
  const db = openDatabase({ path });
  return {
    path,
    store: createFindingStore({ db, newId: createIds(() => NOW_MS), detectorTypes: new Set(['high_disk']) }),
    close: () => db.close(),
  };
};

const perSecond = (count: number, work: () => void): number => {
  const begun = performance.now();
  work();
  return count / ((performance.now() - begun) / 1000);
};

const context = { nowMs: NOW_MS, runId: 'run', readingOf: (id: string) => reading(Number(id.slice(1))) };

const fileAll = (
  directory: string,
  name: string,
  count: number,
  isBatched: boolean,
): { readonly path: string; readonly rate: number } => {
  const { store, path, close } = open(directory, name);
  const signals = Array.from({ length: count }, (_, index) => signal(index));
  const rate = perSecond(count, () => {
    if (isBatched) store.fileBatch(signals, context);
    else for (const one of signals) store.file(one, context);
  });
  close();
  return { path, rate };
};

type Row = Record<string, unknown>;

/** Rows of one table by the finding they belong to. */
const rowsByFinding = (sqlite: Sqlite, table: string): ReadonlyMap<unknown, readonly Row[]> =>
  Map.groupBy(
    sqlite.prepare(`select * from ${table}`).all() as Row[],
    (row) => row[table === 'findings' ? 'id' : 'finding_id'],
  );

/** Writes what `from` holds into an empty database with the same schema, in transactions of `batch` findings. */
const writeRaw = (directory: string, from: string, name: string, batch: number): number => {
  const path = join(directory, name);
  openDatabase({ path }).close();
  const source = new BetterSqlite3(from, { readonly: true });
  const tables = TABLES.map((table) => ({ table, rows: rowsByFinding(source, table) }));
  source.close();
  const target = new BetterSqlite3(path);
  target.pragma('journal_mode = WAL');
  target.pragma('synchronous = FULL');
  target.pragma('foreign_keys = ON');
  const inserts = tables.map(({ table, rows }) => {
    const columns = Object.keys([...rows.values()][0]?.[0] ?? {});
    const insert = target.prepare(
      `insert into ${table} (${columns.join(', ')}) values (${columns.map((column) => `@${column}`).join(', ')})`,
    );
    return { rows, insert };
  });
  const ids = [...(tables[0]?.rows.keys() ?? [])];
  const writeSome = target.transaction((some: readonly unknown[]) => {
    for (const id of some)
      for (const { rows, insert } of inserts) for (const row of rows.get(id) ?? []) insert.run(row);
  });
  const rate = perSecond(ids.length, () => {
    for (let at = 0; at < ids.length; at += batch) writeSome.immediate(ids.slice(at, at + batch));
  });
  target.close();
  return rate;
};

export interface FilingFigures {
  readonly filedPerSecond: number;
  readonly rawPerSecond: number;
  readonly filedBatchedPerSecond: number;
  readonly rawBatchedPerSecond: number;
  /** Medians of the ratios of neighbouring rounds, which hold while the machine's speed drifts. */
  readonly filedToRaw: number;
  readonly filedToRawBatched: number;
}

export const measureFiling = (): FilingFigures => {
  const directory = mkdtempSync(join(tmpdir(), 'patrold-filing-'));
  const rounds = Array.from({ length: ROUNDS }, (_, round) => {
    const single = fileAll(directory, `single${round}.db`, SINGLY, false);
    const rawSingle = writeRaw(directory, single.path, `raw-single${round}.db`, 1);
    const batched = fileAll(directory, `batched${round}.db`, BATCHED, true);
    const rawBatched = writeRaw(directory, batched.path, `raw-batched${round}.db`, BATCH);
    return { single: single.rate, rawSingle, batched: batched.rate, rawBatched };
  }).slice(1);
  rmSync(directory, { recursive: true });
  const middle = (pick: (round: (typeof rounds)[number]) => number): number => median(rounds.map(pick));
  return {
    filedPerSecond: Math.round(middle(({ single }) => single)),
    rawPerSecond: Math.round(middle(({ rawSingle }) => rawSingle)),
    filedBatchedPerSecond: Math.round(middle(({ batched }) => batched)),
    rawBatchedPerSecond: Math.round(middle(({ rawBatched }) => rawBatched)),
    filedToRaw: middle(({ single, rawSingle }) => single / rawSingle),
    filedToRawBatched: middle(({ batched, rawBatched }) => batched / rawBatched),
  };
};
