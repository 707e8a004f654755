import { expect, test } from 'vitest';
import type { ResourceView } from '../../src/capabilities/resource-view.ts';
import { askDeclared } from '../support/declared-output.ts';
import { type House, NOW_MS, openHouse } from '../support/http-house.ts';
import { DISK, HOST, manyResources, ROOT, seedResources } from '../support/seeded-store.ts';

interface Page {
  readonly items: readonly ResourceView[];
  readonly nextCursor: string | null;
  readonly total: number;
}

const list = (house: House, query = ''): Promise<Page> =>
  askDeclared<Page>(house, 'list_resources', `/api/resources${query}`);
const ids = ({ items }: Page): readonly string[] => items.map(({ id }) => id);

test('resources come by id, with their status, parent, tags and sources', async () => {
  const house = await openHouse();
  seedResources(house);
  const page = await list(house);
  expect([ids(page), page.total]).toEqual([[HOST, DISK, ROOT], 3]);
  expect(page.items[0]).toEqual({
    id: HOST,
    kind: 'host',
    name: 'nas1',
    status: 'running',
    parent: null,
    sourceIds: ['this-host'],
    tags: ['lab', 'media'],
    facts: { cores: 4 },
    firstSeenAtMs: NOW_MS,
    seenAtMs: NOW_MS,
    goneAtMs: null,
  });
  expect(page.items[1]).toMatchObject({ status: 'degraded', parent: { id: HOST, name: 'nas1', kind: 'host' } });
});

test.each([
  ['kind=disk', [DISK]],
  ['kind=disk,host', [HOST, DISK]],
  ['kind=vm', []],
  ['status=degraded', [DISK]],
  ['source=metrics', [ROOT]],
  ['source=metric', []],
  ['tag=media', [HOST]],
  ['tag=med', []],
  [`parent=${HOST}`, [DISK, ROOT]],
  ['text=WWN', [DISK]],
  [`text=${encodeURIComponent('ünï')}`, [ROOT]],
  ['text=%25', [ROOT]],
  ['text=_', []],
  ['gone=true', []],
  ['gone=false', [HOST, DISK, ROOT]],
])('?%s leaves %j', async (query, expected) => {
  const house = await openHouse();
  seedResources(house);
  const page = await list(house, `?${query}`);
  expect([ids(page), page.total]).toEqual([expected, expected.length]);
});

test('what is no longer there is listed when it is asked for', async () => {
  const house = await openHouse();
  seedResources(house);
  house.inventory.write(
    { seen: [], aliases: [], absent: [{ id: DISK, absentLooks: 2, gone: true }], merged: [] },
    NOW_MS + 5,
  );
  expect(ids(await list(house))).toEqual([HOST, ROOT]);
  expect((await list(house, '?gone=true')).items).toMatchObject([{ id: DISK, goneAtMs: NOW_MS + 5 }]);
});

test('pages hold every resource once', async () => {
  const house = await openHouse();
  seedResources(house, manyResources(450));
  const seen: string[] = [];
  let cursor: string | null = null;
  do {
    const page: Page = await list(house, `?limit=200${cursor === null ? '' : `&cursor=${cursor}`}`);
    seen.push(...ids(page));
    cursor = page.nextCursor;
  } while (cursor !== null);
  expect([seen.length, new Set(seen).size]).toEqual([453, 453]);
});

test.each(['kind=thing', 'status=ok', 'gone=1', 'gone=true&gone=true', 'text=', 'limit=201', 'cursor=!'])(
  '?%s is refused',
  async (query) => {
    const house = await openHouse();
    const { status, body } = await house.ask(`/api/resources?${query}`);
    expect([status, body]).toMatchObject([400, { error: 'invalid_request' }]);
  },
);
