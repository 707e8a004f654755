import { expect, test } from 'vitest';
import { askDeclared } from '../support/declared-output.ts';
import { type House, NOW_MS, openHouse } from '../support/http-house.ts';
import { DISK, HOST, seedRun } from '../support/seeded-store.ts';

interface Coverage {
  readonly run: { readonly id: string; readonly coverage: unknown };
  readonly unobserved: readonly { readonly detector: string }[];
  readonly nextCursor: string | null;
  readonly total: number;
  readonly listed: number;
}

const coverage = (house: House, query = ''): Promise<Coverage> =>
  askDeclared<Coverage>(house, 'get_coverage', `/api/coverage${query}`);
const detectorsOf = ({ unobserved }: Coverage): readonly string[] => unobserved.map(({ detector }) => detector);

test('the last run over everything says what was seen and what was not', async () => {
  const house = await openHouse();
  seedRun(house, { id: 'run-1' });
  seedRun(house, { id: 'run-2', scoped: true });
  house.runs.begin({ id: 'run-3', requestId: 'r', kind: 'patrol', trigger: 'manual', scope: null }, NOW_MS);
  const answer = await coverage(house);
  expect(answer).toMatchObject({
    run: { id: 'run-1', coverage: { raised: 1, clear: 7, unobserved: 3, accepted: 1, warmingUp: 2 } },
    total: 3,
    listed: 3,
    nextCursor: null,
  });
  expect(detectorsOf(answer)).toEqual(['smart_failure', 'clock_skew', 'service_failed']);
});

test('a run that was interrupted, and came no further, is the last one all the same', async () => {
  const house = await openHouse();
  seedRun(house, { id: 'run-1' });
  house.runs.begin({ id: 'run-2', requestId: 'r', kind: 'patrol', trigger: 'manual', scope: null }, NOW_MS);
  house.runs.interruptLeftovers('the process ended');
  expect((await coverage(house)).run).toMatchObject({ id: 'run-2', state: 'interrupted', coverage: null });
});

test.each([
  ['detector=clock_skew', ['clock_skew']],
  [`resource=${DISK}`, ['smart_failure']],
  [`resource=${HOST}&detector=smart_failure`, []],
  ['run=run-1', ['smart_failure', 'clock_skew', 'service_failed']],
])('?%s leaves %j', async (query, expected) => {
  const house = await openHouse();
  seedRun(house, { id: 'run-1' });
  const answer = await coverage(house, `?${query}`);
  expect([detectorsOf(answer), answer.total]).toEqual([expected, expected.length]);
});

test('pages stay with the run that they began with', async () => {
  const house = await openHouse();
  seedRun(house, { id: 'run-1' });
  const first = await coverage(house, '?limit=2');
  seedRun(house, { id: 'run-2', unobserved: [] });
  const second = await coverage(house, `?limit=2&cursor=${first.nextCursor}`);
  expect([second.run.id, detectorsOf(second), second.nextCursor]).toEqual(['run-1', ['service_failed'], null]);
});

test('before any run has ended, and for a run that is not known, there is none', async () => {
  const house = await openHouse();
  for (const query of ['', '?run=nobody']) {
    const { status, body } = await house.ask(`/api/coverage${query}`);
    expect([status, body]).toMatchObject([404, { error: 'run_not_found' }]);
  }
});

test('a cursor of another run, or of another list, is refused', async () => {
  const house = await openHouse();
  seedRun(house, { id: 'run-1' });
  seedRun(house, { id: 'run-2' });
  const { nextCursor } = await coverage(house, '?limit=1&run=run-1');
  expect((await house.ask(`/api/coverage?run=run-2&cursor=${nextCursor}`)).status).toBe(400);
  expect((await house.ask('/api/coverage?cursor=x')).status).toBe(400);
});
