/** What device names of exporters say of a disk. */

/** Whole disks that are one: no partitions, no made-up devices, no optical drives, no virtual disks. */
const PHYSICAL = /^(?:sd[a-z]+|hd[a-z]|nvme\d+n\d+|mmcblk\d+|dasd[a-z]+)$/;

export const isPhysicalDisk = (device: string): boolean => PHYSICAL.test(device);

/** smartctl asks the controller of an NVMe disk (`nvme0`), the kernel names its first namespace (`nvme0n1`). */
export const isSameDevice = (device: string, smartDevice: string): boolean =>
  device === smartDevice || (/^nvme\d+$/.test(smartDevice) && device.startsWith(`${smartDevice}n`));

/** Names that hypervisors give to the disks that they make up; they have no health of their own. */
const MADE_UP =
  /QEMU|VBOX|VMware|\bVirtual\b|\bMsft\b|PersistentDisk|Amazon (?:Elastic Block|EC2)|XENSRC|BHYVE|LIO-ORG|HC Volume/i;

export const isMadeUp = (model: string): boolean => MADE_UP.test(model.replaceAll('_', ' '));
