import { expect, test } from 'vitest';
import type { FindingView } from '../../src/capabilities/finding-view.ts';
import { askDeclared, problemsOf } from '../support/declared-output.ts';
import { type House, NOW_MS, openHouse } from '../support/http-house.ts';
import { DISK, file, HOST, manySignals, ROOT, seedAll, signalOf } from '../support/seeded-store.ts';

interface Page {
  readonly items: readonly FindingView[];
  readonly nextCursor: string | null;
  readonly total: number;
  readonly bySeverity: Readonly<Record<string, number>>;
}

const list = (house: House, query = ''): Promise<Page> =>
  askDeclared<Page>(house, 'list_findings', `/api/findings${query}`);
const keys = ({ items }: Page): readonly string[] => items.map(({ key }) => key);

test('active findings come worst first, with their resource, figure, limit and where that came from', async () => {
  const house = await openHouse();
  seedAll(house);
  const page = await list(house);
  expect(keys(page)).toEqual(['smart_failure', 'high_cpu', 'high_disk:/']);
  expect([page.total, page.bySeverity, page.nextCursor]).toEqual([
    3,
    { info: 0, watch: 1, warning: 1, critical: 1 },
    null,
  ]);
  expect(page.items[1]).toMatchObject({
    resource: { id: HOST, name: 'nas1', kind: 'host' },
    level: {
      value: 92,
      unit: 'percent',
      limit: { trigger: 70, clear: 65, origin: { kind: 'default', text: 'default' } },
    },
    state: 'active',
    disposition: { kind: 'none', by: null },
    quiet: null,
    stale: null,
    episode: 1,
    firstSeenAtMs: NOW_MS,
    sinceMs: NOW_MS - 900_000,
  });
});

test.each([
  ['severity=critical', ['smart_failure']],
  ['severity=critical,watch', ['smart_failure', 'high_disk:/']],
  ['severity=watch&severity=warning', ['high_cpu', 'high_disk:/']],
  ['category=capacity', ['high_disk:/']],
  [`resource=${encodeURIComponent(DISK)}`, ['smart_failure']],
  [`resource=${encodeURIComponent(ROOT)}`, ['high_disk:/']],
  ['resource=nobody', []],
  ['source=this-host', ['smart_failure', 'high_cpu', 'high_disk:/']],
  ['source=this', []],
  ['key=high_disk', ['high_disk:/']],
  ['key=high_disk%3A/', ['high_disk:/']],
  ['text=FAILING', ['smart_failure']],
  ['text=%25', ['high_cpu', 'high_disk:/']],
  ['text=_____________________________________________________________', []],
  ['disposition=acknowledged', []],
  ['state=resolved', []],
  ['state=all', ['smart_failure', 'high_cpu', 'high_disk:/']],
  ['sort=resource', ['high_cpu', 'smart_failure', 'high_disk:/']],
])('?%s leaves %j', async (query, expected) => {
  const house = await openHouse();
  seedAll(house);
  const page = await list(house, `?${query}`);
  expect([keys(page), page.total]).toEqual([expected, expected.length]);
});

test.each(['severity', 'newest', 'resource'])(
  'pages by %s hold every finding once, whatever comes meanwhile',
  async (sort) => {
    const house = await openHouse();
    file(house, manySignals(101));
    const seen: string[] = [];
    let cursor: string | null = null;
    do {
      const page: Page = await list(house, `?sort=${sort}&limit=20${cursor === null ? '' : `&cursor=${cursor}`}`);
      seen.push(...keys(page));
      cursor = page.nextCursor;
      // Newer than all that is listed, and before it in every order that begins with the newest.
      if (seen.length === 20) await house.clock.advance(1_000);
      if (seen.length === 20) file(house, [signalOf('high_cpu', { severity: 'critical', resourceId: HOST })]);
    } while (cursor !== null);
    const planted = seen.filter((key) => key.startsWith('high_disk:'));
    expect([planted.length, new Set(planted).size]).toEqual([101, 101]);
  },
);

test('a finding that the operator silenced says why it does not count', async () => {
  const house = await openHouse();
  const [id = ''] = file(house, [signalOf('high_cpu')]);
  house.findings.act(id, { kind: 'acknowledge', by: 'eve', note: 'known' }, { nowMs: NOW_MS });
  const { items } = await list(house);
  expect(items[0]).toMatchObject({
    quiet: 'acknowledged',
    disposition: { kind: 'acknowledged', by: 'eve', note: 'known', atMs: NOW_MS },
  });
});

test('a finding on a resource that is not known is shown all the same', async () => {
  const house = await openHouse();
  file(house, [signalOf('high_cpu')]);
  expect((await list(house)).items[0]?.resource).toEqual({ id: HOST, name: HOST, kind: null });
});

test('everything that is wrong with a request is told at once', async () => {
  const house = await openHouse();
  const answered = await house.ask('/api/findings?limit=201&sort=worst&severity=bad&state=open&colour=red&text=');
  expect([answered.status, (answered.body as { error: string }).error]).toEqual([400, 'invalid_finding_request']);
  expect(
    problemsOf(answered)
      .map(({ path }) => path)
      .toSorted(),
  ).toEqual(['', 'limit', 'severity[0]', 'sort', 'state', 'text']);
});

test.each(['x', 'W10', 'bm90IGpzb24', '%F0%9F%92%A9'])('a cursor that no page gave (%s) is refused', async (cursor) => {
  const house = await openHouse();
  const answered = await house.ask(`/api/findings?cursor=${cursor}`);
  expect([answered.status, problemsOf(answered)[0]?.path]).toEqual([400, 'cursor']);
});

test('a cursor of another order is refused', async () => {
  const house = await openHouse();
  file(house, manySignals(5));
  const { nextCursor } = await list(house, '?limit=2');
  expect((await house.ask(`/api/findings?sort=newest&limit=2&cursor=${nextCursor}`)).status).toBe(400);
});
