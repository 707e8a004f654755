/** Disks and pools of the machine, from what the server tells to verdicts. */
import { describe, expect, it } from 'vitest';
import type { ReadingOf } from '../../../../signals/reading.ts';
import type { Sighting } from '../../../../src/sources/source.ts';
import { type AnswerTable, Refusal } from '../../../support/proxmox-answers.ts';
import type { Row } from '../../../support/proxmox-backup-answers.ts';
import { FAST, HOURLY, startBackupServer } from '../../../support/proxmox-backup-survey.ts';

const LIST = '/nodes/localhost/disks/list';
const smartOf = (disk: string): string => `/nodes/localhost/disks/smart?disk=${disk}`;

const listed = (name: string, more: Row = {}): Row => ({
  name,
  devpath: `/dev/${name}`,
  'disk-type': 'hdd',
  model: 'WDC_WD40EFRX',
  serial: `WD-${name.toUpperCase()}`,
  wwn: `0x50014ee2b1a2c3${name.charCodeAt(2).toString(16)}`,
  size: 4_000_787_030_016,
  rpm: 5_400,
  used: 'zfs',
  gpt: true,
  status: 'unknown',
  wearout: null,
  ...more,
});

const attribute = (id: number, name: string, raw: string, more: Row = {}): Row => ({
  id,
  name,
  raw,
  value: raw,
  flags: 'PO--CK ',
  normalized: 200,
  worst: 200,
  threshold: 140,
  ...more,
});

const ATA = [
  attribute(5, 'Reallocated_Sector_Ct', '0'),
  attribute(9, 'Power_On_Hours', '41234', { flags: '-O--CK ', normalized: 44, threshold: 0 }),
  attribute(194, 'Temperature_Celsius', '31', { flags: '-O---K ', normalized: 119, threshold: 0 }),
  attribute(197, 'Current_Pending_Sector', '0', { flags: '-O--CK ', threshold: 0 }),
];

const NVME = Object.entries({
  critical_warning: 0,
  temperature: 41,
  available_spare: 100,
  available_spare_threshold: 10,
  percentage_used: 7,
  media_errors: 0,
  power_on_hours: 9_000,
}).map(([name, raw]) => ({ name, raw: String(raw), value: String(raw) }));

const start = (disks: readonly Row[], more: AnswerTable) => startBackupServer({ [LIST]: disks, ...more });
const smartIn = ({ readings }: Sighting): Partial<ReadingOf<'smart'>> | undefined =>
  readings.flatMap((reading) => (reading.kind === 'smart' ? [reading] : []))[0];

describe('a disk', () => {
  it('that is well is clear, with its temperature', async () => {
    const server = start([listed('sda')], { [smartOf('sda')]: { status: 'passed', attributes: ATA } });
    const { sighting, states } = await server.look();
    expect(smartIn(sighting)).toMatchObject({ deviceClass: 'ata-hdd', healthPassed: true, powerOnHours: 41_234 });
    expect(Object.entries(states).filter(([what]) => what.startsWith('sda'))).toEqual([
      ['sda (WDC WD40EFRX) smart_failure', 'clear'],
      ['sda (WDC WD40EFRX) temperature_high', 'unobserved:warming_up'],
    ]);
  });

  it.each([
    ['whose health has failed', { status: 'failed', attributes: ATA }],
    [
      'with an attribute at its threshold, though its health has passed',
      { status: 'passed', attributes: [attribute(5, 'Reallocated_Sector_Ct', '1999', { normalized: 140 })] },
    ],
  ])('%s is critical', async (_, answer) => {
    const { states } = await start([listed('sda')], { [smartOf('sda')]: answer }).look();
    expect(states['sda (WDC WD40EFRX) smart_failure']).toBe('raised:critical');
  });

  it('on NVMe is read from names without numbers', async () => {
    const disk = listed('nvme0n1', { 'disk-type': 'ssd', model: 'Samsung_SSD_980', rpm: 0 });
    const well = await start([disk], {
      [smartOf('nvme0n1')]: { status: 'passed', wearout: 93, attributes: NVME },
    }).look();
    expect(smartIn(well.sighting)).toMatchObject({
      deviceClass: 'nvme',
      wearUsedPercent: 7,
      nvme: { criticalWarning: 0, availableSparePercent: 100, availableSpareThresholdPercent: 10, mediaErrors: 0 },
    });
    const ill = NVME.map((one) => (one.name === 'available_spare' ? { ...one, raw: '4' } : one));
    const { states } = await start([disk], { [smartOf('nvme0n1')]: { status: 'passed', attributes: ill } }).look();
    expect(states['nvme0n1 (Samsung SSD 980) smart_failure']).toBe('raised:critical');
  });

  it.each([
    ['that tells nothing', { status: 'unknown', attributes: [] }],
    ['that its controller hides', new Refusal(400, 'smartctl failed')],
  ])('%s is unobserved, not well', async (_, answer) => {
    const { states } = await start([listed('sda')], { [smartOf('sda')]: answer }).look();
    expect(states['sda (WDC WD40EFRX) smart_failure']).toBe('unobserved:not_supported');
  });

  it('that rotates is not woken between patrols, nor by whoever says so', async () => {
    const answers = { [smartOf('sda')]: { status: 'passed', attributes: ATA } };
    const server = start([listed('sda')], answers);
    expect((await server.look(HOURLY)).requests.join()).not.toContain('smart?disk');
    expect((await server.look(FAST)).requests.join()).not.toContain('disks');
    const resting = startBackupServer({ [LIST]: [listed('sda')], ...answers }, { config: { smart: 'ssd' } });
    expect((await resting.look()).requests.join()).not.toContain('smart?disk');
  });

  it('of a virtual machine has no health to tell', async () => {
    const { requests, states } = await start([listed('sda', { model: 'QEMU_HARDDISK' })], {}).look();
    expect(requests.join()).not.toContain('smart?disk');
    expect(Object.keys(states).join()).not.toContain('smart_failure');
  });
});

describe('a pool', () => {
  const POOLS = '/nodes/localhost/disks/zfs';
  const member = (name: string, state: string, more: Row = {}): Row => ({
    name: `/dev/disk/by-id/${name}`,
    lvl: 2,
    state,
    read: 0,
    write: 0,
    cksum: 0,
    leaf: true,
    ...more,
  });
  const pool = (state: string, second: string, more: Row = {}): AnswerTable => ({
    [POOLS]: [{ name: 'tank', size: 8e12, alloc: 4e12, free: 4e12, frag: 3, dedup: 1, health: state }],
    [`${POOLS}/tank`]: {
      name: 'tank',
      state,
      scan: 'scrub repaired 0B in 02:11:09 with 0 errors on Sun Mar  8 02:35:10 2026',
      errors: 'No known data errors',
      leaf: false,
      children: [
        {
          name: 'tank',
          lvl: 0,
          state,
          leaf: false,
          children: [
            { name: 'mirror-0', lvl: 1, state, children: [member('ata-a', 'ONLINE'), member('ata-b', second)] },
          ],
        },
      ],
      ...more,
    },
  });

  it.each([
    ['ONLINE', 'ONLINE', 'clear'],
    ['DEGRADED', 'FAULTED', 'raised:critical'],
    ['SUSPENDED', 'FAULTED', 'raised:critical'],
  ])('%s', async (state, second, verdict) => {
    const { states } = await startBackupServer(pool(state, second)).look();
    expect(states['tank zfs_unhealthy']).toBe(verdict);
  });

  it('whose state can not be read is unobserved, and stays so while it is listed', async () => {
    const server = startBackupServer({ ...pool('DEGRADED', 'FAULTED'), [`${POOLS}/tank`]: new Refusal(500) });
    expect((await server.look()).states['tank zfs_unhealthy']).toBe('unobserved:failed');
  });

  it('is none on a machine without ZFS', async () => {
    const server = startBackupServer({
      [POOLS]: new Refusal(400, 'unable to execute "zpool" - No such file or directory'),
    });
    expect((await server.look()).sighting.gaps).toEqual([]);
  });
});
