/** Identity keys of disks, so that every source that sees one writes them alike. */
import { hint, type IdentityKey, proof } from '../../signals/claim.ts';

export interface DiskIdentity {
  /** As udev, sysfs or smartctl write it: `0x5000c500a1b2c3d4`, `naa.5000…`, `eui.0025…`. */
  readonly wwn: string | null;
  readonly model: string | null;
  readonly serial: string | null;
  /**
   * Whether model and serial are the disk's own and whole. SATA models in sysfs are cut to 16 characters, and USB
   * bridges put their own names in: what they say joins, but it does not tell disks apart.
   */
  readonly isExact: boolean;
  /** Kernel name. */
  readonly device: string | null;
}

/** Lower-case hex without prefix; null where it is none, or one that makers leave at zeros or ones. */
export const normaliseWwn = (wwn: string): string | null => {
  const digits = wwn
    .trim()
    .toLowerCase()
    .replace(/^(?:0x|naa\.|eui\.)/, '');
  return /^[0-9a-f]{16,32}$/.test(digits) && !/^(?:5?0+|f+)$/.test(digits) ? digits : null;
};

/** udev writes blanks as underscores, smartctl keeps them; padding goes. */
export const normaliseDiskText = (text: string): string | null => {
  const normal = text
    .trim()
    .replaceAll(/[\s_]+/g, '_')
    .replaceAll('/', '-')
    .replace(/^_+|_+$/g, '');
  return normal === '' || /^[0_]+$/.test(normal) ? null : normal;
};

export const diskKeys = ({ wwn, model, serial, isExact, device }: DiskIdentity): readonly IdentityKey[] => {
  const id = wwn === null ? null : normaliseWwn(wwn);
  const modelText = model === null ? null : normaliseDiskText(model);
  const serialText = serial === null ? null : normaliseDiskText(serial);
  const bySerial = modelText === null || serialText === null ? null : `disk-serial:${modelText}/${serialText}`;
  return [
    ...(id === null ? [] : [proof(`disk-wwn:${id}`)]),
    ...(bySerial === null ? [] : [id === null && isExact ? proof(bySerial) : hint(bySerial)]),
    ...(device === null ? [] : [hint(`disk-device:${device}`, 'parent')]),
  ];
};
