import { expect, test } from 'vitest';
import type { RunView } from '../../src/capabilities/run-view.ts';
import { askDeclared, problemsOf } from '../support/declared-output.ts';
import { type House, NOW_MS, openHouse } from '../support/http-house.ts';
import { seedRun } from '../support/seeded-store.ts';

interface Page {
  readonly items: readonly RunView[];
  readonly nextCursor: string | null;
  readonly quietWatches: unknown;
}

const list = (house: House, query = ''): Promise<Page> => askDeclared<Page>(house, 'list_runs', `/api/runs${query}`);
const ids = ({ items }: Page): readonly string[] => items.map(({ id }) => id);

test('runs come newest first, with their stages and coverage', async () => {
  const house = await openHouse();
  seedRun(house, { id: 'run-1' });
  seedRun(house, { id: 'run-2', scoped: true });
  const page = await list(house);
  expect(ids(page)).toEqual(['run-2', 'run-1']);
  expect(page.items[0]?.scope).toEqual({ ids: ['nas1'], kinds: [], sources: [], tags: [] });
  expect(page.items[1]).toMatchObject({
    kind: 'patrol',
    trigger: 'schedule',
    scope: null,
    state: 'completed',
    status: 'issues_found',
    durationMs: 80.25,
    coverage: { unobserved: 3, sources: [{ sourceId: 'this-host', outcome: 'partial' }] },
    stages: [{ name: 'survey' }, { name: 'model_loop', status: 'skipped', reason: 'no provider' }],
  });
});

test('a run under way and one that was cut short are shown as far as they came', async () => {
  const house = await openHouse();
  const start = { requestId: 'r', kind: 'watch', trigger: 'manual', scope: null } as const;
  house.runs.begin({ ...start, id: 'run-1' }, NOW_MS);
  house.runs.interruptLeftovers('the process ended');
  house.runs.begin({ ...start, id: 'run-2' }, NOW_MS);
  expect((await list(house)).items).toMatchObject([
    { id: 'run-2', state: 'running', status: null, durationMs: null, coverage: null, stages: [] },
    { id: 'run-1', state: 'interrupted', status: null, reason: 'the process ended' },
  ]);
});

test('pages hold every run once', async () => {
  const house = await openHouse();
  for (let index = 0; index < 7; index += 1) seedRun(house, { id: `run-${index}` });
  const seen: string[] = [];
  let cursor: string | null = null;
  do {
    const page: Page = await list(house, `?limit=3${cursor === null ? '' : `&cursor=${cursor}`}`);
    seen.push(...ids(page));
    cursor = page.nextCursor;
  } while (cursor !== null);
  expect(seen).toEqual([6, 5, 4, 3, 2, 1, 0].map((index) => `run-${index}`));
});

test.each([
  ['kind=watch', ['run-2']],
  ['kind=patrol', ['run-1']],
  ['status=issues_found', ['run-2', 'run-1']],
  ['status=healthy', []],
])('?%s leaves %j', async (query, expected) => {
  const house = await openHouse();
  seedRun(house, { id: 'run-1' });
  seedRun(house, { id: 'run-2', kind: 'watch' });
  expect(ids(await list(house, `?${query}`))).toEqual(expected);
});

test('watches that changed nothing are told by their day', async () => {
  const house = await openHouse();
  house.runs.begin({ id: 'w', requestId: 'r', kind: 'watch', trigger: 'schedule', scope: null }, NOW_MS);
  house.runs.endQuietly('w', 'healthy', NOW_MS);
  expect(await list(house)).toEqual({
    items: [],
    nextCursor: null,
    quietWatches: { day: '2026-01-01', count: 1, lastAtMs: NOW_MS, lastStatus: 'healthy' },
  });
});

test.each(['limit=0', 'limit=1.5', 'limit=x', 'kind=all', 'cursor=WyJmaW5kaW5ncyIsInIiXQ'])(
  '?%s is refused',
  async (query) => {
    const house = await openHouse();
    const answered = await house.ask(`/api/runs?${query}`);
    expect([answered.status, answered.body]).toMatchObject([400, { error: 'invalid_request' }]);
    expect(problemsOf(answered)).toHaveLength(1);
  },
);
