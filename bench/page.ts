/** A page of 50 out of 100,000 findings, and the metrics page over them. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createFindingStore } from '../findings/store.ts';
import { CATEGORIES, SEVERITIES, type Signal } from '../signals/detector.ts';
import { asResourceId } from '../signals/resource.ts';
import { addFindingMetrics } from '../src/patrol/finding-metrics.ts';
import { openDatabase } from '../src/runtime/database.ts';
import { createIds } from '../src/runtime/ids.ts';
import { createMetrics } from '../src/runtime/metrics.ts';
import { median } from './machine.ts';

const FINDINGS = 100_000;
const NOW_MS = Date.UTC(2026, 0, 15);
const ASKED = 101;
const PAGE = 50;

const signal = (index: number): Signal => ({
  type: 'high_disk',
  resourceId: asResourceId(`host${index % 20_000}/filesystem/srv`),
  subject: `subject-${index}`,
  key: `high_disk:subject-${index}`,
  severity: SEVERITIES[index % SEVERITIES.length] ?? 'warning',
  category: CATEGORIES[index % CATEGORIES.length] ?? 'capacity',
  title: 'Space is running out',
  summary: '97 % of 93.1 GiB used, limit 95 %, 2.8 GiB left',
  clearsWhen: 'use is back at 90 % or less',
  level: { value: 97, unit: 'percent', limit: { trigger: 95, clear: 90, origin: { kind: 'default' } } },
  sinceMs: NOW_MS,
  evidence: [],
  details: {},
  sourceIds: ['metrics'],
});

const timed = async (work: () => unknown): Promise<number> => {
  const begun = performance.now();
  await work();
  return performance.now() - begun;
};

export interface PageFigures {
  /** Median over pages from the first to deep ones. */
  readonly page50Ms: number;
  readonly metrics100000Ms: number;
}

export const measurePages = async (): Promise<PageFigures> => {
  const directory = mkdtempSync(join(tmpdir(), 'patrold-page-'));
  const db = openDatabase({ path: join(directory, 'patrold.db') });
  const store = createFindingStore({ db, newId: createIds(() => NOW_MS), detectorTypes: new Set(['high_disk']) });
  store.fileBatch(
    Array.from({ length: FINDINGS }, (_, index) => signal(index)),
    { nowMs: NOW_MS, runId: 'run', readingOf: () => null },
  );
  const pages: number[] = [];
  let cursor: string | undefined;
  for (let asked = 0; asked < ASKED; asked += 1) {
    const query = { limit: PAGE, ...(cursor === undefined ? {} : { cursor }) };
    pages.push(
      await timed(() => {
        cursor = store.list(query).nextCursor ?? undefined;
      }),
    );
  }
  const metrics = createMetrics({ version: 'bench', nodeVersion: process.version });
  addFindingMetrics({ metrics, counts: () => store.counts() });
  const scrapes: number[] = [];
  for (let scrape = 0; scrape < ASKED; scrape += 1) scrapes.push(await timed(() => metrics.page()));
  db.close();
  rmSync(directory, { recursive: true });
  return { page50Ms: median(pages), metrics100000Ms: median(scrapes) };
};
