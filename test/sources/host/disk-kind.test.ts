import { expect, test } from 'vitest';
import { diskTransport, isRaidVolume, isVirtualDisk } from '../../../src/sources/host/disk-kind.ts';

const path = (rest: string) => `/sys/devices/pci0000:00/${rest}/block/x`;

test.each([
  ['nvme0n1', path('0000:01:00.0/nvme/nvme0'), null, null, 'nvme'],
  ['sda', path('0000:00:17.0/ata1/host1/target1:0:0/1:0:0:0'), 'ATA', null, 'sata'],
  ['sdb', path('0000:03:00.0/host0/port-0:1/end_device-0:1/target0:0:1/0:0:1:0'), 'ATA', null, 'sata'],
  ['sdc', path('0000:03:00.0/host0/port-0:2/end_device-0:2/target0:0:2/0:0:2:0'), 'SEAGATE', null, 'sas'],
  ['sdd', path('0000:00:14.0/usb2/2-3/2-3:1.0/host6/target6:0:0/6:0:0:0'), 'WD', 'usb', 'usb'],
  ['sde', '/sys/devices/platform/host9/session1/target9:0:0/9:0:0:1/block/sde', 'LIO-ORG', null, 'iscsi'],
  ['sdf', path('0000:00:05.0/virtio2/host2/target2:0:0/2:0:0:0'), 'QEMU', null, 'virtio'],
  ['sdg', path('0000:04:00.0/host1/rport-1:0-2/target1:0:0/1:0:0:0'), 'HP', null, 'fc'],
  ['vda', path('0000:00:05.0/virtio2'), null, null, 'virtio'],
  ['xvda', '/sys/devices/vbd-768/block/xvda', null, null, 'xen'],
  ['mmcblk0', '/sys/devices/platform/mmc0/mmc0:0001/block/mmcblk0', null, null, 'mmc'],
  ['sdh', '/sys/block/sdh', null, 'ata', 'sata'],
  ['sdi', '/sys/block/sdi', 'DELL', null, 'scsi'],
])('%s at %s is reached by %5$s', (name, where, vendor, bus, transport) => {
  expect(diskTransport({ name, path: where, vendor, bus })).toBe(transport);
});

test.each([
  ['sda', 'sata', 'ATA QEMU HARDDISK'],
  ['sda', 'sata', 'ATA VBOX HARDDISK'],
  ['sda', 'scsi', 'VMware Virtual disk'],
  ['sda', 'scsi', 'Msft Virtual Disk'],
  ['sda', 'scsi', 'Google PersistentDisk'],
  ['nvme0n1', 'nvme', ' Amazon Elastic Block Store'],
  ['nvme0n1', 'nvme', ' QEMU NVMe Ctrl'],
  ['vda', 'virtio', ''],
  ['sda', 'iscsi', 'SYNOLOGY Storage'],
] as const)('%s by %s as %j is made up', (name, transport, identity) => {
  expect(isVirtualDisk(name, transport, identity)).toBe(true);
});

test.each([
  ['sda', 'sata', 'ATA WDC WD40EFRX-68N'],
  ['nvme0n1', 'nvme', ' Samsung SSD 980 PRO 1TB'],
  ['sda', 'sas', 'SEAGATE ST8000NM0075'],
  ['sda', 'usb', 'WD Elements 25A2'],
] as const)('%s by %s as %j is a disk', (name, transport, identity) => {
  expect(isVirtualDisk(name, transport, identity)).toBe(false);
  expect(isRaidVolume(identity)).toBe(false);
});

test.each(['DELL PERC H730 Mini', 'HP LOGICAL VOLUME', 'LSI MR9361-8i', 'Intel Raid 1 Volume', 'AVAGO MR9460-16i'])(
  '%s is a RAID volume',
  (identity) => {
    expect(isRaidVolume(identity)).toBe(true);
  },
);
