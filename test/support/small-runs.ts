/** Runs over a few filesystems: evaluate, file, reconcile, remember, as the record stage does it, on a real database. */
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { withFindings } from '../../findings/memory.ts';
import { reconcile } from '../../findings/reconcile.ts';
import { createFindingStore, type FindingStore } from '../../findings/store.ts';
import { highDisk } from '../../signals/detectors/high-disk.ts';
import { evaluate, type ResourceGap } from '../../signals/evaluate.ts';
import { noHistory } from '../../signals/history.ts';
import { createLimitResolver, noSettings } from '../../signals/limits.ts';
import type { Reading } from '../../signals/reading.ts';
import { asResourceId, type Resource, type ResourceId } from '../../signals/resource.ts';
import { createVerdictStore } from '../../src/evidence/verdict-store.ts';
import { type Database, openDatabase } from '../../src/runtime/database.ts';
import { sql } from '../../src/runtime/drizzle.ts';
import { createIds } from '../../src/runtime/ids.ts';
import { GIB } from './signal-story.ts';
import { temporaryDirectory } from './temporary-directory.ts';

/** Percent used by filesystem; a word is why there is no reading. */
export type Seen = Readonly<Record<string, number | ResourceGap['code']>>;

export interface SmallRuns {
  readonly store: FindingStore;
  run(nowMs: number, seen: Seen, gone?: readonly string[]): void;
  /** As after a crash; the memories of detectors may be lost with it. */
  restart(lost?: 'memories'): SmallRuns;
}

const resourceOf = (name: string): Resource => ({
  id: asResourceId(name),
  kind: 'filesystem',
  name,
  parentId: null,
  status: 'running',
  sourceIds: ['host'],
  tags: [],
  expects: ['filesystem'],
  facts: { fsType: 'ext4' },
  presence: 'observed',
});

const readingOf = (resourceId: ResourceId, usedPercent: number, nowMs: number): Reading => ({
  id: `e-${resourceId}`,
  kind: 'filesystem',
  resourceId,
  sourceId: 'host',
  takenAtMs: nowMs,
  receivedAtMs: nowMs,
  sizeBytes: 100 * GIB,
  usedBytes: usedPercent * GIB,
  availableBytes: (100 - usedPercent) * GIB,
  inodesTotal: 1_000_000,
  inodesFree: 900_000,
  superblockReadOnly: false,
});

const passOf = (db: Database, store: FindingStore) => {
  const kept = createVerdictStore(db);
  const limits = createLimitResolver(noSettings);
  return (nowMs: number, seen: Seen, gone: readonly string[] = []): void => {
    const resources = Object.keys(seen).map(resourceOf);
    const readings = new Map<ResourceId, Reading>();
    const gaps = new Map<ResourceId, ResourceGap>();
    for (const { id } of resources) {
      const what = seen[id];
      if (typeof what === 'number') readings.set(id, readingOf(id, what, nowMs));
      else if (what !== undefined) gaps.set(id, { sourceId: 'host', reads: [], code: what, reason: what });
    }
    const memories = kept.load();
    const evaluation = evaluate({
      world: {
        resources,
        readingsOf: (id) =>
          [...(readings.has(id) ? [readings.get(id)] : [])].filter((reading) => reading !== undefined),
        gapsOf: (id) => [gaps.get(id)].filter((gap) => gap !== undefined),
        lastSurveyAtMs: () => null,
      },
      detectors: [highDisk],
      limits,
      history: { of: () => noHistory },
      memories: withFindings(memories, store.active()),
      nowMs,
    });
    const context = {
      nowMs,
      runId: `run-${nowMs}`,
      readingOf: (id: string) => readings.get(asResourceId(id.slice(2))) ?? null,
    };
    const known = store.open();
    store.fileBatch(
      evaluation.verdicts.flatMap((verdict) => (verdict.state === 'raised' ? [verdict.signal] : [])),
      context,
    );
    const lost = new Map(gone.map((name) => [asResourceId(name), 'removed']));
    store.apply(reconcile({ ...evaluation, findings: known, gone: lost, inScope: () => true, nowMs }), context);
    kept.write(memories, evaluation.verdicts, evaluation.absent);
  };
};

export const startRuns = (path = join(temporaryDirectory(), 'patrold.db')): SmallRuns => {
  const db = openDatabase({ path });
  onTestFinished(() => {
    db.close();
  });
  const store = createFindingStore({ db, newId: createIds(() => 0), detectorTypes: new Set([highDisk.type]) });
  return {
    store,
    run: passOf(db, store),
    restart: (lost) => {
      if (lost === 'memories') db.orm.run(sql`delete from verdicts`);
      db.close();
      return startRuns(path);
    },
  };
};
