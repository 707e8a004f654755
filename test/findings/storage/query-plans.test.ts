/** That the indexes are used is asked of SQLite itself: a time would prove nothing on a busy machine. */
import type BetterSqlite3 from 'better-sqlite3';
import { expect, test } from 'vitest';
import { openStore } from '../../support/findings.ts';

/** What SQLite says that it would do for each statement that the store runs. */
const plansOf = (run: (opened: ReturnType<typeof openStore>) => unknown): readonly string[] => {
  const opened = openStore();
  const asked: string[] = [];
  const { orm } = opened.db;
  const session = (orm as unknown as { readonly $client: BetterSqlite3.Database }).$client;
  const prepare = session.prepare.bind(session);
  session.prepare = ((text: string) => {
    asked.push(text);
    return prepare(text);
  }) as typeof session.prepare;
  run(opened);
  return asked.flatMap((text) =>
    (
      prepare(`explain query plan ${text}`).all(
        ...Array.from({ length: text.split('?').length - 1 }, () => 1),
      ) as readonly { readonly detail: string }[]
    ).map(({ detail }) => detail),
  );
};

const findingsPlans = (plans: readonly string[]) => plans.filter((plan) => plan.includes('findings'));

test.each([
  ['the first page', {}],
  ['resolved ones', { state: 'resolved' }],
  ['all of them', { state: 'all' }],
  ['the newest', { sort: 'newest', state: 'all' }],
  ['one severity', { severities: ['critical'] }],
  ['one category', { category: 'backup' }],
  ['what was snoozed', { disposition: 'snoozed' }],
] as const)('%s: read from an index in its order, counted without touching findings', (_what, query) => {
  const plans = plansOf(({ store }) => store.list(query));
  expect(findingsPlans(plans)).toEqual([
    'SEARCH findings USING INDEX findings_by_severity (state=? AND severity_rank=? AND (state_at_ms,id)<(?,?))',
  ]);
  expect(plans.join('\n')).not.toContain('B-TREE FOR ORDER BY');
});

test('by resource: the identity index has the order', () => {
  const plans = plansOf(({ store }) => store.list({ sort: 'resource' }));
  expect(findingsPlans(plans)).toEqual([expect.stringMatching(/findings USING INDEX findings_identity/)]);
  expect(plans.join('\n')).not.toContain('TEMP B-TREE');
});

test('one resource and one key are looked up', () => {
  for (const query of [{ resourceId: 'nas1' as never }, { key: 'high_disk' }]) {
    const plans = findingsPlans(plansOf(({ store }) => store.list({ ...query, sort: 'severity' })));
    expect(plans.every((plan) => plan.startsWith('SEARCH') || plan.startsWith('MULTI-INDEX'))).toBe(true);
  }
});

test('metrics read the kept counts alone', () => {
  expect(findingsPlans(plansOf(({ store }) => store.counts()))).toEqual([]);
});
