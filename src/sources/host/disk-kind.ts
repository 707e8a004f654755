/** What kind of thing a disk is: how it is reached, and whether it is one at all. */

export type Transport = 'sata' | 'sas' | 'nvme' | 'usb' | 'mmc' | 'virtio' | 'xen' | 'iscsi' | 'fc' | 'scsi';

export interface DiskPath {
  readonly name: string;
  /** Resolved path in sysfs. */
  readonly path: string;
  readonly vendor: string | null;
  /** udev's `ID_BUS`. */
  readonly bus: string | null;
}

/** libata and SAS controllers both present SATA disks with this vendor. */
const isAta = (vendor: string | null): boolean => vendor?.trim() === 'ATA';

export const diskTransport = ({ name, path, vendor, bus }: DiskPath): Transport => {
  if (name.startsWith('nvme')) return 'nvme';
  if (name.startsWith('mmcblk')) return 'mmc';
  if (name.startsWith('xvd')) return 'xen';
  if (name.startsWith('vd') || /\/virtio\d+\//.test(path)) return 'virtio';
  if (/\/usb\d+\//.test(path) || bus === 'usb') return 'usb';
  if (/\/session\d+\//.test(path)) return 'iscsi';
  if (/\/rport-/.test(path)) return 'fc';
  if (isAta(vendor) || /\/ata\d+\//.test(path) || bus === 'ata') return 'sata';
  return /\/end_device-/.test(path) ? 'sas' : 'scsi';
};

/** Names that hypervisors, clouds and storage servers give to the disks that they make up. */
const MADE_UP =
  /QEMU|VBOX|VMware|Virtual|\bMsft\b|PersistentDisk|nvme_card|Amazon (?:Elastic Block|EC2)|MSFT NVMe|Microsoft NVMe|XENSRC|BHYVE|Oracle\b.*BlockVolume|LIO-ORG|iSCSI|EQLOGIC|DO\b.*Volume|HC Volume/i;

export const isVirtualDisk = (name: string, transport: Transport, identity: string): boolean =>
  /^x?vd[a-z]/.test(name) || ['virtio', 'xen', 'iscsi', 'fc'].includes(transport) || MADE_UP.test(identity);

/** Volumes that RAID controllers present; the disks behind them are asked for through the controller. */
const RAID_VOLUME =
  /\bPERC\b|MegaRAID|LOGICAL VOLUME|ServeRAID|\bRAID\b|\bMR\d{4}|\bAVAGO\b|\bLSI\b|\bSMC\d{4}|Adaptec|\bAMCC\b|\b3ware\b|\bAreca\b/i;

export const isRaidVolume = (identity: string): boolean => RAID_VOLUME.test(identity);

export type DiskClass = 'hdd' | 'sata-ssd' | 'nvme';

/** By what its temperature and its wear are judged. */
export const diskClass = (transport: Transport, rotational: boolean): DiskClass =>
  transport === 'nvme' ? 'nvme' : rotational ? 'hdd' : 'sata-ssd';
