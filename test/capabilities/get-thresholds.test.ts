import { expect, test } from 'vitest';
import { detectors } from '../../signals/detectors/index.ts';
import { askDeclared } from '../support/declared-output.ts';
import { type House, openHouse } from '../support/http-house.ts';
import { DISK, HOST, seedResources } from '../support/seeded-store.ts';

interface Thresholds {
  readonly resource: unknown;
  readonly thresholds: readonly { readonly metric: string; readonly detector: string }[];
}

const thresholds = (house: House, id: string): Promise<Thresholds> =>
  askDeclared<Thresholds>(house, 'get_thresholds', `/api/resources/${encodeURIComponent(id)}/thresholds`);

const limitOf = ({ thresholds: all }: Thresholds, metric: string): unknown =>
  all.find((each) => each.metric === metric);

test('each limit of a resource comes with its unit, where it clears, and that it is the default', async () => {
  const house = await openHouse({ detectors });
  seedResources(house);
  const host = await thresholds(house, HOST);
  expect(host.resource).toEqual({ id: HOST, name: 'nas1', kind: 'host' });
  expect(limitOf(host, 'cpu')).toMatchObject({
    detector: 'high_cpu',
    unit: 'percent',
    direction: 'above',
    off: null,
    warning: { trigger: 70, clear: 65, origin: { kind: 'default', text: 'default' } },
    critical: null,
    forMs: 900_000,
  });
});

test('what the operator wrote is told with the place where it is written', async () => {
  const settings = { warning: 90, forMs: 60_000, path: 'alerts.overrides[0].host.cpu' };
  const override = { match: { tag: 'media' }, settings: { host: { cpu: settings } } };
  const house = await openHouse({ detectors, alerts: { kinds: {}, overrides: [override] } });
  seedResources(house);
  expect(limitOf(await thresholds(house, HOST), 'cpu')).toMatchObject({
    warning: { trigger: 90, origin: { kind: 'override', text: 'alerts.overrides[0].host.cpu.warning' } },
    forMs: 60_000,
    forOrigin: { kind: 'override', text: 'alerts.overrides[0].host.cpu.for' },
  });
});

test('a limit that is switched off says by whom', async () => {
  const kinds = { host: { cpu: { off: true, path: 'alerts.host.cpu' } } };
  const house = await openHouse({ detectors, alerts: { kinds, overrides: [] } });
  seedResources(house);
  expect(limitOf(await thresholds(house, HOST), 'cpu')).toMatchObject({
    off: { kind: 'setting', text: 'alerts.host.cpu' },
    warning: null,
  });
});

test('a disk has limits of disks alone', async () => {
  const house = await openHouse({ detectors });
  seedResources(house);
  const { thresholds: all } = await thresholds(house, DISK);
  const owners = new Set(all.map(({ detector }) => detector));
  const kinds = [...owners].map((type) => detectors.find((each) => each.type === type)?.kinds ?? []);
  expect(owners.size).toBeGreaterThan(0);
  expect(kinds.every((each) => each.includes('disk'))).toBe(true);
});

test('an id that nothing has is not found', async () => {
  const house = await openHouse();
  const { status, body } = await house.ask('/api/resources/nobody/thresholds');
  expect([status, body]).toMatchObject([404, { error: 'resource_not_found' }]);
});
