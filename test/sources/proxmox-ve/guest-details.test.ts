import { expect, it } from 'vitest';
import { proxmoxVeLimits } from '../../../src/sources/proxmox-ve/proxmox-ve-limits.ts';
import { clusterAnswers } from '../../support/proxmox-ve-cluster.ts';
import { NOW_MS, node, vm } from '../../support/proxmox-ve-rows.ts';
import { startCluster, WATCH } from '../../support/proxmox-ve-survey.ts';

const HOUR_MS = 3_600_000;
const DAY_S = 86_400;

const withGuests = (count: number) => ({
  ...clusterAnswers(),
  '/cluster/backup': [],
  '/cluster/resources': [node('pve1'), ...Array.from({ length: count }, (_each, index) => vm(100 + index))],
});

const details = (vmid: number, born = 1_700_000_000) => ({
  [`/nodes/pve1/qemu/${vmid}/config`]: {
    name: `vm${vmid}`,
    onboot: 1,
    meta: `creation-qemu=9.0.2,ctime=${born}`,
    digest: 'x',
    scsi0: 'tank:vm-100-disk-0,size=32G',
  },
  [`/nodes/pve1/qemu/${vmid}/snapshot`]: [
    { name: 'before-upgrade', snaptime: NOW_MS / 1000 - 40 * DAY_S, description: '', vmstate: 0 },
    { name: 'current', running: 1, parent: 'before-upgrade', description: 'You are here!', digest: 'x' },
  ],
});

it('reads snapshots without the one that stands for the present state, and the config once a day', async () => {
  const { look, clock } = startCluster({ ...withGuests(1), ...details(100) });
  const first = await look();
  expect(first.sighting.readings.find(({ kind }) => kind === 'snapshots')).toMatchObject({
    ref: 'guest:100',
    snapshots: [{ name: 'before-upgrade', createdAtMs: NOW_MS - 40 * DAY_S * 1000 }],
  });
  await clock.advance(6 * HOUR_MS);
  const second = await look();
  expect(second.sighting.gaps.filter(({ ref }) => ref === 'guest:100')).toMatchObject([{ code: 'not_due' }]);
  expect(second.sighting.readings.find(({ kind }) => kind === 'guest_state')).toMatchObject({ onBoot: true });
  await clock.advance(18 * HOUR_MS);
  expect((await look()).sighting.readings.some(({ kind }) => kind === 'snapshots')).toBe(true);
});

it('takes turns where there are more guests than one patrol asks for', async () => {
  const count = proxmoxVeLimits.guestDetailsPerSurvey + 50;
  const { look, transport } = startCluster(withGuests(count));
  transport.answer({
    ...withGuests(count),
    ...Object.assign({}, ...Array.from({ length: count }, (_each, index) => details(100 + index))),
  });
  const configs = (): number => transport.asked.filter((path) => path.endsWith('/config')).length;
  await look();
  expect(configs()).toBe(proxmoxVeLimits.guestDetailsPerSurvey);
  await look();
  expect(configs()).toBe(count);
  await look(WATCH);
  expect(configs()).toBe(count);
});

it('tells a new guest under a used number from the old one by when it was made', async () => {
  const { look, transport, clock } = startCluster({ ...withGuests(1), ...details(100) });
  const keys = async (): Promise<readonly string[]> =>
    (await look(WATCH)).sighting.claims.find(({ ref }) => ref === 'guest:100')?.keys.map(({ key }) => key) ?? [];
  await look();
  expect((await keys())[0]).toContain('pve-guest-born:');
  await clock.advance(HOUR_MS);
  const created = {
    upid: 'UPID:pve1:0:0:0:qmcreate:100:root@pam:',
    node: 'pve1',
    type: 'qmcreate',
    id: '100',
    user: 'root@pam',
    starttime: NOW_MS / 1000 + 1800,
    endtime: NOW_MS / 1000 + 1805,
    status: 'OK',
  };
  transport.answer({ ...withGuests(1), ...details(100, 1_800_000_000), '/cluster/tasks': [created] });
  await look(WATCH);
  expect((await keys())[0]).toContain('/100/1800000000');
});
