import { expect, test } from 'vitest';
import type { Hwmon } from '../../../src/sources/host/hwmon.ts';
import { collectTemperatures } from '../../../src/sources/host/temperatures.ts';
import { hostContext } from '../../support/host-context.ts';

interface Chip {
  readonly name: string;
  readonly parent: string | null;
  readonly files: Readonly<Record<string, string>>;
}

const survey = (
  chips: readonly Chip[],
  zones: Readonly<Record<string, string>> = {},
  container: string | null = null,
) => {
  const hwmons: readonly Hwmon[] = chips.map(({ name, parent }, index) => ({ path: `/hw${index}`, name, parent }));
  const files = Object.fromEntries([
    ...chips.flatMap(({ files: all }, index) =>
      Object.entries(all).map(([file, text]) => [`/hw${index}/${file}`, text]),
    ),
    ...Object.entries(zones).map(([file, text]) => [`/sys/class/thermal/thermal_zone0/${file}`, text]),
  ]);
  return collectTemperatures(hostContext({ files }, [], { hwmons, environment: { container } }));
};

const CORETEMP: Chip = {
  name: 'coretemp',
  parent: 'coretemp.0',
  files: {
    temp1_input: '52000',
    temp1_label: 'Package id 0',
    temp1_max: '84000',
    temp1_crit: '100000',
    temp2_input: '51000',
    temp2_label: 'Core 0',
  },
};

test('a processor is known by its package, under a name that lasts', async () => {
  const { readings, additions } = await survey([CORETEMP]);
  expect(readings).toMatchObject([
    {
      ref: 'host',
      sensor: 'coretemp.0 Package id 0',
      celsius: 52,
      warnCelsius: 84,
      criticalCelsius: 100,
      deviceClass: 'cpu',
    },
  ]);
  expect(additions).toMatchObject([{ ref: 'host', expects: ['temperature'] }]);
});

test('sensors of disks belong to disks, those of mainboards have no limits to be trusted', async () => {
  const files = { temp1_input: '115000', temp1_max: '80000' };
  const chips = ['nvme', 'drivetemp', 'nct6775', 'it8728'].map((name) => ({ name, parent: null, files }));
  expect((await survey(chips)).readings).toEqual([]);
});

test('another sensor counts where it names a trip point', async () => {
  const chip = (files: Readonly<Record<string, string>>): Chip => ({ name: 'amdgpu', parent: '0000:03:00.0', files });
  expect((await survey([chip({ temp1_input: '60000' })])).readings).toEqual([]);
  expect((await survey([chip({ temp1_input: '60000', temp1_crit: '110000' })])).readings).toMatchObject([
    { sensor: 'amdgpu-0000:03:00.0 temp1', deviceClass: 'other', criticalCelsius: 110 },
  ]);
});

test('an ARM board is read by its thermal zone; slowing down is no trip point', async () => {
  const zones = {
    type: 'soc-thermal',
    temp: '61000',
    trip_point_0_type: 'passive',
    trip_point_0_temp: '80000',
    trip_point_1_type: 'critical',
    trip_point_1_temp: '95000',
  };
  expect((await survey([], zones)).readings).toMatchObject([
    { sensor: 'soc-thermal', deviceClass: 'cpu', warnCelsius: null, criticalCelsius: 95 },
  ]);
});

test('a zone that has a sensor already, or repeats the processor’s, is not read twice', async () => {
  expect((await survey([CORETEMP], { type: 'x86_pkg_temp', temp: '52000' })).readings).toHaveLength(1);
  const acpi: Chip = { name: 'acpitz', parent: null, files: { temp1_input: '30000', temp1_crit: '105000' } };
  const zone = { type: 'acpitz', temp: '30000', trip_point_0_type: 'critical', trip_point_0_temp: '105000' };
  expect((await survey([acpi], zone)).readings).toHaveLength(1);
});

test('a container has no sensors of its own', async () => {
  expect((await survey([CORETEMP], {}, 'lxc')).readings).toEqual([]);
});
