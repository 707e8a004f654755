import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Finding } from '../../../findings/finding.ts';
import { patrold } from '../../../findings/history-entry.ts';
import type { FindingQuery, Sort } from '../../../findings/page.ts';
import { createFindingStore, type FindingStore } from '../../../findings/store.ts';
import { CATEGORIES, SEVERITIES, severityRank } from '../../../signals/detector.ts';
import { asResourceId } from '../../../signals/resource.ts';
import { type Database, openDatabase } from '../../../src/runtime/database.ts';
import { createIds } from '../../../src/runtime/ids.ts';
import { DETECTORS, MINUTE_MS, NOW_MS, runAt, signalOf } from '../../support/findings.ts';

const FINDINGS = 600;
const directory = mkdtempSync(join(tmpdir(), 'patrold-list-'));
let db: Database;
let store: FindingStore;

/** Many at one instant, so that pages have to break ties; every third is over. */
beforeAll(() => {
  db = openDatabase({ path: join(directory, 'patrold.db') });
  store = createFindingStore({ db, newId: createIds(() => NOW_MS), detectorTypes: DETECTORS });
  for (let from = 0; from < FINDINGS; from += 100) {
    const signals = Array.from({ length: 100 }, (_, index) => {
      const at = from + index;
      return signalOf({
        type: at % 5 === 0 ? 'high_cpu' : 'high_disk',
        subject: `s${at}`,
        resourceId: asResourceId(`host${at % 50}`),
        severity: SEVERITIES[at % 4] ?? 'info',
        category: CATEGORIES[at % 7] ?? 'general',
        summary: at === 77 ? 'the 100%_odd \\ one' : 'ordinary',
        sourceIds: at % 2 === 0 ? ['metrics', 'host'] : ['docker'],
      });
    });
    const filed = store.fileBatch(signals, runAt(NOW_MS + Math.floor(from / 200) * MINUTE_MS));
    const over = filed
      .filter((_, index) => index % 3 === 0)
      .map(({ findingId }) => ({ findingId, event: { kind: 'cleared', actor: patrold, reason: null } }) as const);
    store.apply(over, runAt(NOW_MS + from));
  }
});

afterAll(() => {
  db.close();
  rmSync(directory, { recursive: true });
});

const walk = (query: FindingQuery) => {
  const found: Finding[] = [];
  let cursor: string | null = null;
  for (let pages = 0; pages < FINDINGS; pages += 1) {
    const page = store.list(cursor === null ? query : { ...query, cursor });
    found.push(...page.findings);
    cursor = page.nextCursor;
    if (cursor === null) return { found, total: page.total, pages: pages + 1, bySeverity: page.bySeverity };
  }
  throw new Error('the pages do not end');
};

describe.each(['severity', 'newest', 'resource'] as const satisfies readonly Sort[])('sorted by %s', (sort) => {
  test.each(['active', 'resolved', 'all'] as const)(
    'the pages of %s findings hold each once, in order, and add up',
    (state) => {
      const { found, total, pages } = walk({ sort, state, limit: 37 });
      expect(new Set(found.map(({ id }) => id)).size).toBe(found.length);
      expect(found.length).toBe(total);
      expect(total).toBe(state === 'all' ? FINDINGS : state === 'active' ? 396 : 204);
      expect(pages).toBe(Math.ceil(total / 37));
      const keys = found.map(({ severity, openedAtMs, resolution, resourceId, key }) => {
        const at = String(9e15 - (resolution?.atMs ?? openedAtMs));
        if (sort === 'resource') return `${resourceId}\n${key}`;
        return sort === 'severity' ? `${9 - severityRank(severity)} ${at}` : at;
      });
      expect(keys).toEqual(keys.toSorted());
    },
  );
});

test.each([
  [{ severities: ['critical'] }, (one) => one.severity === 'critical'],
  [{ severities: ['info', 'watch'] }, ({ severity }) => severity === 'info' || severity === 'watch'],
  [{ severities: [] }, () => false],
  [{ resourceId: asResourceId('host7') }, ({ resourceId }) => resourceId === 'host7'],
  [{ sourceId: 'docker' }, ({ sourceIds }) => sourceIds.includes('docker')],
  [{ sourceId: 'dock' }, () => false],
  [{ category: 'backup' }, ({ category }) => category === 'backup'],
  [
    { category: 'backup', severities: ['warning'] },
    ({ category, severity }) => category === 'backup' && severity === 'warning',
  ],
  [{ key: 'high_cpu' }, ({ key }) => key.startsWith('high_cpu:')],
  [{ key: 'high_disk:s77' }, ({ key }) => key === 'high_disk:s77'],
  [{ disposition: 'none' }, () => true],
  [{ disposition: 'snoozed' }, () => false],
  [{ text: 'HOST49' }, ({ resourceId }) => resourceId === 'host49'],
  [{ text: '100%_odd \\ o' }, ({ key }) => key === 'high_disk:s77'],
  [{ text: '%' }, ({ key }) => key === 'high_disk:s77'],
  [{ text: "' or 1=1 --" }, () => false],
] as const satisfies readonly (readonly [FindingQuery, (one: ReturnType<FindingStore['find']>) => boolean])[])(
  '%o finds just what it says, in every sort, and counts it',
  (filter, holds) => {
    const everything = walk({ state: 'all', limit: 200 }).found.filter(holds);
    for (const sort of ['severity', 'newest', 'resource'] as const) {
      const { found, total, bySeverity } = walk({ ...filter, state: 'all', sort, limit: 50 });
      expect(found.map(({ id }) => id).toSorted()).toEqual(everything.map(({ id }) => id).toSorted());
      expect(total).toBe(everything.length);
      for (const severity of SEVERITIES)
        expect(bySeverity[severity]).toBe(everything.filter((one) => one.severity === severity).length);
    }
  },
);

test.each([
  [{ limit: 0 }],
  [{ limit: 201 }],
  [{ limit: 1.5 }],
  [{ cursor: 'nonsense' }],
  [{ cursor: '' }],
  [{ cursor: Buffer.from('["s",1]').toString('base64url') }],
  [{ cursor: Buffer.from('{"a":1}').toString('base64url') }],
])('%o is refused', (query) => {
  expect(() => store.list(query)).toThrow(expect.objectContaining({ code: 'invalid_finding_request' }));
});

test('a cursor of one sort is none of another', () => {
  const { nextCursor } = store.list({ limit: 1 });
  expect(() => store.list({ sort: 'newest', cursor: nextCursor ?? '' })).toThrow(
    expect.objectContaining({ code: 'invalid_finding_request' }),
  );
});

test('a page goes on where it ended, though what was on it has changed meanwhile', () => {
  const { findings, nextCursor } = store.list({ state: 'all', limit: 10, sort: 'newest' });
  const before = store.list({ state: 'all', limit: 10, sort: 'newest', cursor: nextCursor ?? '' });
  const last = findings.at(-1);
  store.act(last?.id ?? '', { kind: 'note', by: 'ann', note: 'seen' }, { nowMs: NOW_MS });
  expect(store.list({ state: 'all', limit: 10, sort: 'newest', cursor: nextCursor ?? '' }).findings).toEqual(
    before.findings,
  );
});
