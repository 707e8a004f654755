import { describe, expect, test } from 'vitest';
import { hostClaim, readHostname, readMachineId, readOsName } from '../../../src/sources/host/host-claim.ts';
import { hostContext, NOW_MS } from '../../support/host-context.ts';
import { memoryRoot } from '../../support/memory-root.ts';

const files = { '/proc/sys/kernel/hostname': 'kernel-name\n', '/etc/hostname': 'file-name\n' };

test('the kernel knows the name, but below another root it would tell that of patrold’s own container', async () => {
  expect(await readHostname(memoryRoot({ files }))).toBe('kernel-name');
  expect(await readHostname(memoryRoot({ files, root: '/host' }))).toBe('file-name');
  expect(await readHostname(memoryRoot({}))).toBe('localhost');
});

test.each([
  [{ '/etc/machine-id': '4F6B2C1D9E8A47F0B3C5D7E9F1A2B3C4\n' }, '4f6b2c1d9e8a47f0b3c5d7e9f1a2b3c4'],
  [{ '/etc/machine-id': 'uninitialized\n', '/var/lib/dbus/machine-id': `${'ab'.repeat(16)}\n` }, 'ab'.repeat(16)],
  [{ '/etc/machine-id': `${'0'.repeat(32)}\n` }, null],
  [{}, null],
])('the machine id in %j', async (present, id) => {
  expect(await readMachineId(memoryRoot({ files: present }))).toBe(id);
});

test('the system’s name', async () => {
  expect(await readOsName(memoryRoot({ files: { '/usr/lib/os-release': 'ID=x\nPRETTY_NAME="Some Linux 3"\n' } }))).toBe(
    'Some Linux 3',
  );
});

describe('a machine', () => {
  const NET = '/sys/class/net';
  const machine = {
    files: {
      ...files,
      [`${NET}/eth0/address`]: '3C:EC:EF:00:11:22\n',
      [`${NET}/eth1/address`]: '3c:ec:ef:00:11:22\n',
      [`${NET}/eth1/bonding_slave/perm_hwaddr`]: '3c:ec:ef:00:11:23\n',
      [`${NET}/vf0/address`]: '3c:ec:ef:00:11:99\n',
      '/sys/devices/pci0/vf/physfn/x': '',
      [`${NET}/docker0/address`]: '02:42:00:00:00:01\n',
      [`${NET}/wwan0/address`]: '00:00:00:00:00:00\n',
    },
    links: {
      [`${NET}/eth0/device`]: '/sys/devices/pci0/0',
      [`${NET}/eth1/device`]: '/sys/devices/pci0/1',
      [`${NET}/vf0/device`]: '/sys/devices/pci0/vf',
      [`${NET}/wwan0/device`]: '/sys/devices/usb1/1',
    },
  };

  test('is proven by its id, and known by its boots and its own cards', async () => {
    const claim = await hostClaim(
      hostContext({ ...machine, files: { ...machine.files, '/etc/machine-id': 'ab'.repeat(16) } }),
    );
    const bootedAtS = NOW_MS / 1_000 - 864_000;
    expect(claim.keys.map(({ key, strength }) => `${strength} ${key}`)).toEqual([
      `proof machine-id:${'ab'.repeat(16)}`,
      `hint hostname-boot:kernel-name/${bootedAtS}`,
      'hint hostname-mac:kernel-name/3c:ec:ef:00:11:22',
      'hint hostname-mac:kernel-name/3c:ec:ef:00:11:23',
    ]);
    expect(claim).toMatchObject({ kind: 'host', slug: 'kernel-name', facts: { cpuCount: 4, inContainer: false } });
  });

  test('without an id it still has a key', async () => {
    expect((await hostClaim(hostContext({}))).keys).toHaveLength(1);
  });
});
