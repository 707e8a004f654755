import { expect, test } from 'vitest';
import { readHwmons, readTemperatures } from '../../../src/sources/host/hwmon.ts';
import { memoryRoot } from '../../support/memory-root.ts';

const chip = { path: '/h', name: 'x', parent: null };
const temperatures = (files: Readonly<Record<string, string>>) =>
  readTemperatures(
    memoryRoot({ files: Object.fromEntries(Object.entries(files).map(([name, value]) => [`/h/${name}`, value])) }),
    chip,
  );

test('a sensor is known by its driver and its device', async () => {
  const reader = memoryRoot({
    files: { '/sys/class/hwmon/hwmon3/name': 'nvme\n', '/sys/class/hwmon/hwmon4/other': '' },
    links: { '/sys/class/hwmon/hwmon3/device': '/sys/devices/pci0/nvme/nvme0' },
  });
  expect(await readHwmons(reader)).toEqual([{ path: '/sys/class/hwmon/hwmon3', name: 'nvme', parent: 'nvme0' }]);
});

test('thousandths of a degree become degrees', async () => {
  const read = await temperatures({
    temp1_input: '41850',
    temp1_label: 'Composite',
    temp1_max: '81850',
    temp1_crit: '84850',
  });
  expect(read).toEqual([
    { channel: 'temp1', label: 'Composite', celsius: 41.85, maxCelsius: 81.85, criticalCelsius: 84.85 },
  ]);
});

test.each([
  ['not connected', { temp1_input: '-128000' }],
  ['at the end of its scale', { temp1_input: '255000' }],
  ['faulty', { temp1_input: '40000', temp1_fault: '1' }],
  ['without a value', { temp1_input: '' }],
])('a sensor that is %s is left out', async (_, files) => {
  expect(await temperatures(files)).toEqual([]);
});

test.each([
  [{ temp1_max: '0', temp1_crit: '65261850' }, null, null],
  [{ temp1_max: '100000', temp1_crit: '100000' }, null, 100],
  [{ temp1_max: '-273150', temp1_crit: '95000' }, null, 95],
])('trip points that cannot be are none: %j', async (files, maxCelsius, criticalCelsius) => {
  expect(await temperatures({ temp1_input: '40000', ...files })).toMatchObject([{ maxCelsius, criticalCelsius }]);
});
