import { expect, test } from 'vitest';
import { readBlockDisks } from '../../../src/sources/host/block-disks.ts';
import { type MemoryRoot, memoryRoot } from '../../support/memory-root.ts';

const read = async (machine: MemoryRoot) => (await readBlockDisks(memoryRoot(machine))).disks;
const disk = (name: string, size = '7814037168') => ({ [`/sys/block/${name}/size`]: `${size}\n` });

test.each([
  'loop0',
  'ram0',
  'zram0',
  'zd16',
  'dm-0',
  'md127',
  'nbd0',
  'rbd0',
  'drbd1',
  'sr0',
  'fd0',
  'bcache0',
  'mmcblk0boot0',
  'nvme0c0n1',
])('%s is no disk', async (name) => {
  expect(await read({ files: disk(name) })).toEqual([]);
});

test('virtual devices are none, except NVMe behind its subsystem', async () => {
  const files = { '/sys/devices/virtual/block/odd0/size': '1', ...disk('odd0'), ...disk('nvme0n1') };
  const links = {
    '/sys/block/odd0': '../devices/virtual/block/odd0',
    '/sys/block/nvme0n1': '../devices/virtual/nvme-subsystem/nvme-subsys0/nvme0n1',
  };
  expect((await read({ files, links })).map(({ name }) => name)).toEqual(['nvme0n1']);
});

test('a card reader without a card is none', async () => {
  expect(await read({ files: disk('sdx', '0') })).toEqual([]);
});

test('two namespaces of one NVMe controller are one disk', async () => {
  const files = { ...disk('nvme0n1'), ...disk('nvme0n2'), ...disk('nvme1n1') };
  const links = {
    '/sys/block/nvme0n1/device': '/sys/devices/pci0/nvme/nvme0',
    '/sys/block/nvme0n2/device': '/sys/devices/pci0/nvme/nvme0',
    '/sys/block/nvme1n1/device': '/sys/devices/pci0/nvme/nvme1',
  };
  expect((await read({ files, links })).map(({ name }) => name)).toEqual(['nvme0n1', 'nvme1n1']);
});

test('the serial of a SAS disk comes from its inquiry, without the header', async () => {
  const page = Buffer.concat([Buffer.from([0, 0x80, 0, 8]), Buffer.from('ZC1A0001')]);
  const [found] = await read({ files: { ...disk('sda'), '/sys/block/sda/device/vpd_pg80': page } });
  expect(found?.serial).toBe('ZC1A0001');
});

test('a directory that cannot be read is a reason, not a machine without disks', async () => {
  expect(await readBlockDisks(memoryRoot({ denied: ['/sys/block'] }))).toMatchObject({
    disks: [],
    trouble: { code: 'not_supported' },
  });
});
