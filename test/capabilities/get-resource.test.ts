import { expect, test } from 'vitest';
import { detectors } from '../../signals/detectors/index.ts';
import { formerIdKey } from '../../signals/identity/alias.ts';
import { asResourceId } from '../../signals/resource.ts';
import type { CheckView } from '../../src/capabilities/resource-checks.ts';
import type { ResourceView } from '../../src/capabilities/resource-view.ts';
import { askDeclared } from '../support/declared-output.ts';
import { type House, NOW_MS, openHouse } from '../support/http-house.ts';
import { DISK, HOST, manyResources, ROOT, seedAll, seedResources } from '../support/seeded-store.ts';

interface Shown {
  readonly resource: ResourceView;
  readonly children: readonly ResourceView[];
  readonly childrenTotal: number;
  readonly checks: readonly CheckView[];
  readonly checkedIn: { readonly runId: string } | null;
}

const show = (house: House, id: string): Promise<Shown> =>
  askDeclared<Shown>(house, 'get_resource', `/api/resources/${encodeURIComponent(id)}`);
const stateOf = ({ checks }: Shown, detector: string): unknown => {
  const check = checks.find((each) => each.detector === detector);
  return [check?.state, check?.reason, check?.raised.length, check?.unobserved.map(({ subject }) => subject)];
};

test('a resource comes with its parent, what lies below it, and the checks that cover it', async () => {
  const house = await openHouse({ detectors });
  seedAll(house);
  const host = await show(house, HOST);
  expect(host.children.map(({ id }) => id)).toEqual([DISK, ROOT]);
  expect([host.childrenTotal, host.checkedIn]).toEqual([2, { runId: 'run-1', startedAtMs: NOW_MS }]);
  expect(stateOf(host, 'high_cpu')).toEqual(['raised', null, 1, []]);
  expect(stateOf(host, 'high_memory')).toEqual(['not_raised', null, 0, []]);
  expect(stateOf(host, 'bond_degraded')).toEqual(['not_read', 'no source delivers bond of it', 0, []]);
  const disk = await show(house, DISK);
  expect(disk.resource.parent).toEqual({ id: HOST, name: 'nas1', kind: 'host' });
  expect(stateOf(disk, 'smart_failure')).toEqual(['unobserved', null, 0, [null]]);
});

test('an id of any characters is reached by encoding it, and is told back as it is', async () => {
  const house = await openHouse();
  seedResources(house);
  expect((await show(house, ROOT)).resource.id).toBe(ROOT);
});

test('checks that the alert settings switch off say so', async () => {
  const kinds = { host: { cpu: { off: true, path: 'alerts.host.cpu' } } };
  const house = await openHouse({ detectors, alerts: { kinds, overrides: [] } });
  seedAll(house);
  expect(stateOf(await show(house, HOST), 'high_cpu')).toEqual([
    'switched_off',
    'switched off in the alert settings',
    0,
    [],
  ]);
});

test('before there was a run, nothing is claimed about what it saw', async () => {
  const house = await openHouse({ detectors });
  seedResources(house);
  const host = await show(house, HOST);
  expect([host.checkedIn, stateOf(host, 'high_cpu')]).toEqual([null, ['not_raised', null, 0, []]]);
});

test('an id that it had before it was joined with another still leads to it', async () => {
  const house = await openHouse();
  seedResources(house);
  const alias = { key: formerIdKey('old-nas'), id: HOST, strength: 'proof' } as const;
  house.inventory.write({ seen: [], aliases: [alias], absent: [], merged: [] }, NOW_MS);
  expect((await show(house, 'old-nas')).resource.id).toBe(HOST);
});

test('of many things below it the first 200 come, and how many there are', async () => {
  const house = await openHouse();
  seedResources(house, manyResources(300));
  const host = await show(house, HOST);
  expect([host.children.length, host.childrenTotal]).toEqual([200, 302]);
});

test('an id that nothing has is not found', async () => {
  const house = await openHouse();
  seedResources(house);
  for (const id of ['nobody', `${HOST}/`, '__proto__', asResourceId('NAS1')]) {
    const { status, body } = await house.ask(`/api/resources/${encodeURIComponent(id)}`);
    expect([id, status, body]).toMatchObject([id, 404, { error: 'resource_not_found' }]);
  }
});
