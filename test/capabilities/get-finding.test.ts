import { expect, test } from 'vitest';
import type { Reading } from '../../signals/reading.ts';
import type { FindingView } from '../../src/capabilities/finding-view.ts';
import { askDeclared } from '../support/declared-output.ts';
import { NOW_MS, openHouse } from '../support/http-house.ts';
import { file, HOST, seedAll, signalOf } from '../support/seeded-store.ts';

interface Detail {
  readonly finding: FindingView;
  readonly episodes: readonly { readonly number: number; readonly endedBy: string | null; readonly worst: string }[];
  readonly history: readonly { readonly seq: number; readonly kind: string; readonly actor: unknown }[];
  readonly historyIsWhole: boolean;
  readonly evidence: readonly { readonly readingId: string; readonly reading: unknown }[];
}

test('a finding comes with its episodes, its history and the readings that it stands on', async () => {
  const house = await openHouse();
  const reading: Reading = {
    id: 'e1',
    kind: 'cpu',
    resourceId: HOST,
    sourceId: 'this-host',
    takenAtMs: NOW_MS,
    receivedAtMs: NOW_MS,
    busyRatio: 0.92,
    iowaitRatio: null,
    stealRatio: null,
    windowMs: 900_000,
    observedRatio: 1,
  };
  const context = { nowMs: NOW_MS, runId: 'run-1', readingOf: () => reading };
  const [filed] = house.findings.fileBatch([signalOf('high_cpu', { evidence: ['e1'] })], context);
  house.findings.act(
    filed?.findingId ?? '',
    { kind: 'resolve', by: 'eve', note: 'restarted it' },
    { nowMs: NOW_MS + 1 },
  );
  const detail = await askDeclared<Detail>(house, 'get_finding', `/api/findings/${filed?.findingId}`);
  expect(detail.finding).toMatchObject({ state: 'resolved', resolution: { by: 'operator', confirmed: false } });
  expect(detail.episodes).toMatchObject([{ number: 1, endedBy: 'operator', worst: 'warning' }]);
  expect(detail.history.map(({ kind }) => kind)).toEqual(['opened', 'resolved']);
  expect(detail.history[1]?.actor).toEqual({ kind: 'operator', name: 'eve' });
  expect(detail.historyIsWhole).toBe(true);
  expect(detail.evidence).toMatchObject([{ readingId: 'e1', reading: { kind: 'cpu', busyRatio: 0.92 } }]);
});

test('a long history is read on from the last row that is known', async () => {
  const house = await openHouse();
  const [id = ''] = file(house, [signalOf('high_cpu')]);
  for (let index = 0; index < 250; index += 1)
    house.findings.act(id, { kind: 'note', by: 'eve', note: `note ${index}` }, { nowMs: NOW_MS + index });
  const first = await askDeclared<Detail>(house, 'get_finding', `/api/findings/${id}`);
  const last = first.history.at(-1)?.seq ?? 0;
  const second = await askDeclared<Detail>(house, 'get_finding', `/api/findings/${id}?historyAfter=${last}`);
  expect([first.history.length, first.historyIsWhole]).toEqual([200, false]);
  expect([second.history.length, second.historyIsWhole]).toEqual([51, true]);
});

test('the end of an id is enough where only one finding has it', async () => {
  const house = await openHouse();
  const [, id = ''] = seedAll(house);
  const detail = await askDeclared<Detail>(house, 'get_finding', `/api/findings/${id.slice(-8)}`);
  expect(detail.finding.id).toBe(id);
});

test('a part of an id that several findings have is refused, and some of them named', async () => {
  const house = await openHouse();
  const [id = ''] = seedAll(house);
  // Ids of one millisecond begin alike.
  const { status, body } = await house.ask(`/api/findings/${id.slice(0, 10)}`);
  expect([status, body]).toMatchObject([
    400,
    { error: 'finding_id_ambiguous', details: { candidates: expect.any(String) } },
  ]);
});

test('an id that nothing has is not found', async () => {
  const house = await openHouse();
  seedAll(house);
  const { status, body } = await house.ask('/api/findings/01arz3ndektsv4rrffq69g5fav');
  expect([status, body]).toMatchObject([404, { error: 'finding_not_found' }]);
});
