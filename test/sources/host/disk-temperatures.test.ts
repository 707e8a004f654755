import { expect, test } from 'vitest';
import type { TemperatureReading } from '../../../signals/reading.ts';
import { type BlockDisk, readBlockDisks } from '../../../src/sources/host/block-disks.ts';
import { readDiskTemperatures } from '../../../src/sources/host/disk-temperatures.ts';
import { hostContext } from '../../support/host-context.ts';
import { memoryRoot } from '../../support/memory-root.ts';
import { createMemoryState } from '../../support/memory-state.ts';

const hwmons = [{ path: '/hw', name: 'drivetemp', parent: '0:0:0:0' }];
const state = createMemoryState();

const disk = async (rotational: boolean, reads: number): Promise<readonly BlockDisk[]> => {
  const files = {
    '/sys/block/sda/size': '100',
    '/sys/block/sda/queue/rotational': rotational ? '1' : '0',
    '/sys/block/sda/stat': ` ${reads} 0 0 0 5 0 0 0 0 0 0`,
    '/sys/block/sda/device/vendor': 'ATA',
  };
  const links = { '/sys/block/sda/device': '/sys/devices/x/0:0:0:0' };
  return (await readBlockDisks(memoryRoot({ files, links }))).disks;
};
const survey = async (
  disks: readonly BlockDisk[],
  files: Readonly<Record<string, string>> = { '/hw/temp1_input': '36000' },
  fromSmart: ReadonlyMap<string, TemperatureReading> = new Map(),
) => readDiskTemperatures(hostContext({ files }, [], { hwmons, state }), disks, fromSmart);

const smart: TemperatureReading = {
  kind: 'temperature',
  sensor: 'drive',
  celsius: 40,
  warnCelsius: null,
  criticalCelsius: null,
  windowMs: 0,
  observedRatio: 1,
  deviceClass: 'hdd',
};

test('a turning disk that nobody used since the last survey is left alone, so that it can spin down', async () => {
  expect((await survey(await disk(true, 100))).readings).toMatchObject([
    { ref: 'disk:sda', sensor: 'drive', celsius: 36, deviceClass: 'hdd' },
  ]);
  const idle = await survey(await disk(true, 100));
  expect(idle.readings).toEqual([]);
  expect(idle.gaps).toMatchObject([{ ref: 'disk:sda', reads: ['temperature'], code: 'asleep' }]);
  expect((await survey(await disk(true, 101))).readings).toHaveLength(1);
});

test('an SSD does not spin', async () => {
  await survey(await disk(false, 100));
  expect((await survey(await disk(false, 100))).readings).toMatchObject([{ deviceClass: 'sata-ssd' }]);
});

test('a sensor without a value is a gap', async () => {
  expect((await survey(await disk(false, 1), {})).gaps).toMatchObject([{ reads: ['temperature'], code: 'failed' }]);
});

test('what smartctl has just heard stands in for a sensor that is left alone, or is not there', async () => {
  await survey(await disk(true, 7));
  const idle = await survey(await disk(true, 7), {}, new Map([['sda', smart]]));
  expect(idle).toMatchObject({ readings: [{ ref: 'disk:sda', celsius: 40 }], gaps: [] });
  const other = await survey(await disk(true, 8), undefined, new Map([['bus/0:megaraid,4', smart]]));
  expect(other.readings).toMatchObject([{ celsius: 36 }, { ref: 'disk:bus/0:megaraid,4', celsius: 40 }]);
});
