/** From the files of a machine to verdicts: faults that the recorded machines do not have by themselves. */
import { expect, test } from 'vitest';
import { sickMachine } from '../../support/sick-machine.ts';

const HWMON = 'root/sys/devices/pci0000:00/0000:00:1d.0/0000:01:00.0/nvme/nvme0/hwmon0';
const DISK = 'nvme0n1 (Samsung SSD 980 PRO 1TB)';

const watched = async (
  machine: ReturnType<typeof sickMachine>,
  of: string,
  times: number,
): Promise<readonly (string | undefined)[]> => {
  const said: (string | undefined)[] = [];
  for (let look = 0; look < times; look += 1) said.push((await machine.watch(of))[of]);
  return said;
};

test('a busy CPU is a finding once a quarter of an hour of it was seen, and clears when it is idle', async () => {
  const machine = sickMachine('nas', {
    'root/proc/stat': (text) => text.replace('4500000+15.5', '4500000+370').replace('81000000+180.0', '81000000+20'),
  });
  const said = await watched(machine, 'nas1 high_cpu', 4);
  expect(said).toEqual(['unobserved:warming_up', 'unobserved:warming_up', 'unobserved:warming_up', 'raised:warning']);
  machine.edit({
    'root/proc/stat': (text) => text.replace(/4500000\+370/, '4500000+1').replace('81000000+20', '81000000+400'),
  });
  expect((await watched(machine, 'nas1 high_cpu', 4)).at(-1)).toBe('clear');
});

test('memory that is gone is a finding, page cache is not', async () => {
  const cached = sickMachine('nas', { 'root/proc/meminfo': (text) => text.replace(/MemFree: +\d+/, 'MemFree: 20000') });
  expect((await watched(cached, 'nas1 high_memory', 4)).at(-1)).toBe('clear');
  const gone = sickMachine('nas', {
    'root/proc/meminfo': (text) => text.replace(/MemAvailable: +\d+/, 'MemAvailable: 1200000'),
  });
  const said = await watched(gone, 'nas1 high_memory', 4);
  expect([said[0], said.at(-1)]).toEqual(['unobserved:warming_up', 'raised:warning']);
});

test('a file system that runs out of inodes is a finding', async () => {
  const machine = sickMachine('nas', {
    'machine.json': (text) => text.replace('"inodesFree": 60000000', '"inodesFree": 1200000'),
  });
  expect(await machine.watch('/ inodes_low')).toEqual({ '/ inodes_low': 'raised:critical' });
});

test('a drive that gets hot is a finding by its own trip points, and clears when it cools down', async () => {
  const machine = sickMachine('nas', { [`${HWMON}/temp1_input`]: () => '83000\n' });
  const said = await watched(machine, `${DISK} temperature_high`, 3);
  expect(said).toEqual(['unobserved:warming_up', 'raised:warning', 'raised:warning']);
  machine.edit({ [`${HWMON}/temp1_input`]: () => '48000\n' });
  expect(await watched(machine, `${DISK} temperature_high`, 2)).toEqual(['clear', 'clear']);
});

test('a boot after the log just broke off is a finding for a day', async () => {
  const machine = sickMachine('nas', {
    'root/proc/uptime': (text) => text.replace('864000', '3600'),
    'root/proc/stat': (text) => text.replace(/btime \S+/, `btime {{recorded-3600|s}}`),
    'commands/previous-boot.jsonl': (text) =>
      text.replaceAll(/Reached target[^"]*|Shutting down\.|Journal stopped/g, 'usb 2-3: reset'),
  });
  expect(await machine.watch('nas1 unexpected_reboot')).toEqual({ 'nas1 unexpected_reboot': 'raised:warning' });
});

test('new memory errors are a finding, those of before are not', async () => {
  const edac = 'root/sys/devices/system/edac/mc/mc0';
  const machine = sickMachine('nas', { [`${edac}/ce_count`]: () => '4000\n' });
  expect(await machine.watch('nas1 memory_errors')).toEqual({
    'nas1 memory_errors:correctable': 'clear',
    'nas1 memory_errors:uncorrectable': 'clear',
  });
  machine.edit({ [`${edac}/ce_count`]: () => '4003\n', [`${edac}/ue_count`]: (text) => `${Number(text) + 1}\n` });
  expect(await machine.watch('nas1 memory_errors')).toEqual({
    'nas1 memory_errors:correctable': 'raised:warning',
    'nas1 memory_errors:uncorrectable': 'raised:critical',
  });
});

test('sectors that can not be read count in two reads an hour apart, not in the watches between', async () => {
  const of = 'sdc (WDC WD20SPZX-22UA7T0) smart_failure';
  const machine = sickMachine('nas', {
    'commands/smartctl-sdc-sat.json': (text) => {
      const smart = JSON.parse(text.replaceAll(/\{\{[^}]*\}\}/g, '1762851600')) as {
        ata_smart_attributes: { table: { id: number; raw: object }[] };
      };
      for (const attribute of smart.ata_smart_attributes.table)
        if (attribute.id === 197) attribute.raw = { value: 2, string: '2' };
      return JSON.stringify(smart);
    },
  });
  expect((await machine.watch(of))[of]).toBe('unobserved:confirming');
  expect(await machine.watch(of, ['fast'])).toEqual({});
  expect((await machine.watch(of))[of]).toBe('raised:warning');
});
