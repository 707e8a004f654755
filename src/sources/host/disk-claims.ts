/** How a disk is called and known. */
import { claimDefaults, type ResourceClaim } from '../../../signals/claim.ts';
import type { Facts } from '../../../signals/resource.ts';
import { cleanText } from '../../runtime/text.ts';
import { type DiskIdentity, diskKeys, normaliseDiskText } from '../disk-keys.ts';
import type { BlockDisk } from './block-disks.ts';
import { diskClass } from './disk-kind.ts';
import { HOST_REF } from './host-context.ts';
import type { SmartIdentity } from './smart-identity.ts';
import { hasSmart, type SmartTarget } from './smart-target.ts';

const TEXT_CHARACTERS = 128;
/** SCSI's field for a product holds no more; SATA models are longer. */
const SYSFS_MODEL_CHARACTERS = 16;

export const diskRef = (key: string): string => `disk:${key}`;

/** What smartctl heard from the disk goes before udev, and udev before the kernel. */
export const identityOf = (disk: BlockDisk, smart: SmartIdentity | null): DiskIdentity => {
  const { udev, transport } = disk;
  const udevModel = udev.get('ID_MODEL') ?? null;
  const isBridged = transport === 'usb';
  const isCut = transport === 'sata' && (disk.model?.length ?? 0) >= SYSFS_MODEL_CHARACTERS;
  if (smart?.model != null && smart.serial !== null) {
    return {
      wwn: smart.wwn ?? wwnOf(disk),
      model: smart.model,
      serial: smart.serial,
      isExact: true,
      device: disk.name,
    };
  }
  const serial = udevSerial(disk) ?? disk.serial;
  const model = udevModel ?? disk.model;
  return { wwn: wwnOf(disk), model, serial, isExact: !isBridged && (udevModel !== null || !isCut), device: disk.name };
};

/** A bridge's own WWN would be carried on to the next disk in it. */
const wwnOf = ({ transport, wwid, udev }: BlockDisk): string | null =>
  transport === 'usb' ? null : (wwid ?? udev.get('ID_WWN') ?? null);

/** Of SCSI disks `ID_SERIAL_SHORT` is the WWN again. */
const udevSerial = ({ transport, udev }: BlockDisk): string | null =>
  udev.get('SCSI_IDENT_SERIAL') ??
  udev.get('ID_SCSI_SERIAL') ??
  (transport === 'sas' || transport === 'scsi' ? null : (udev.get('ID_SERIAL_SHORT') ?? null));

export const blockDiskClaim = (disk: BlockDisk, smart: SmartIdentity | null): ResourceClaim => {
  const identity = identityOf(disk, smart);
  return {
    ...claim(disk.name, disk.name, identity),
    expects: hasSmart(disk) ? ['smart'] : [],
    facts: {
      ...modelFacts(identity),
      device: `/dev/${disk.name}`,
      transport: disk.transport,
      rotational: disk.rotational,
      deviceClass: diskClass(disk.transport, disk.rotational),
      sizeBytes: disk.sizeBytes,
      removable: disk.removable,
      ...(disk.virtual ? { virtual: true } : {}),
    },
  };
};

export interface RaidDisk {
  readonly target: SmartTarget;
  readonly identity: SmartIdentity | null;
}

/** One that only its controller shows. */
export const raidDiskClaim = ({ target, identity }: RaidDisk): ResourceClaim => {
  const { model = null, serial = null, wwn = null } = identity ?? {};
  const known: DiskIdentity = { wwn, model, serial, isExact: true, device: target.key };
  return {
    ...claim(target.key, target.type ?? target.key, known),
    expects: ['smart'],
    facts: { ...modelFacts(known), device: target.path, transport: 'raid', controllerType: target.type ?? '' },
  };
};

const claim = (key: string, label: string, identity: DiskIdentity): ResourceClaim => {
  const model = readable(identity.model);
  const slug = [identity.model, identity.serial].map((text) => (text === null ? null : normaliseDiskText(text)));
  return {
    ...claimDefaults,
    ref: diskRef(key),
    kind: 'disk',
    name: model === null ? label : `${label} (${model})`,
    parentRef: HOST_REF,
    keys: diskKeys(identity),
    slug: slug.includes(null) ? key : slug.join('-').toLowerCase(),
  };
};

const readable = (text: string | null): string | null => {
  const clean = text === null ? '' : cleanText(text.replaceAll('_', ' '), TEXT_CHARACTERS);
  return clean === '' ? null : clean;
};

const modelFacts = ({ model, serial }: DiskIdentity): Facts => {
  const [modelText, serialText] = [readable(model), readable(serial)];
  return {
    ...(modelText === null ? {} : { model: modelText }),
    ...(serialText === null ? {} : { serial: serialText }),
  };
};
