/** That the indexes are used is asked of SQLite itself: a time would prove nothing on a busy machine. */
import type BetterSqlite3 from 'better-sqlite3';
import { expect, test } from 'vitest';
import { writeCursor } from '../../../findings/page.ts';
import { asResourceId } from '../../../signals/resource.ts';
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

const CURSOR = writeCursor({ sort: 'severity', rank: 3, atMs: 1, id: 'x' });

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

test('a key has its own index, in the order of the list', () => {
  for (const key of ['high_disk', 'high_disk:/srv']) {
    const plans = plansOf(({ store }) => {
      store.list({ key });
      store.list({ key, cursor: CURSOR });
    });
    expect(new Set(findingsPlans(plans))).toEqual(
      new Set([
        'SEARCH findings USING INDEX findings_by_key (key_type=? AND state=? AND severity_rank=? AND (state_at_ms,id)<(?,?))',
        expect.stringMatching(/^SEARCH findings USING (COVERING )?INDEX findings_by_key \(key_type=\? AND state=\?\)$/),
      ]),
    );
    expect(plans.join('\n')).not.toContain('B-TREE FOR ORDER BY');
  }
});

test('one resource is looked up by its identity, however it is sorted', () => {
  for (const sort of ['severity', 'newest', 'resource'] as const) {
    const plans = findingsPlans(plansOf(({ store }) => store.list({ resourceId: asResourceId('nas1'), sort })));
    expect(new Set(plans)).toEqual(new Set(['SEARCH findings USING INDEX findings_identity (resource_id=?)']));
  }
});

test('metrics read the kept counts alone', () => {
  expect(findingsPlans(plansOf(({ store }) => store.counts()))).toEqual([]);
});
