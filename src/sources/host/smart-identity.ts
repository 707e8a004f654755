/** Who a disk says it is when smartctl asks: model and serial in full, unlike what the kernel shows. */
import { z } from 'zod';
import type { SmartReport } from './smart-schema.ts';

export const smartIdentitySchema = z.object({
  model: z.string().nullable(),
  serial: z.string().nullable(),
  wwn: z.string().nullable(),
});
export type SmartIdentity = z.infer<typeof smartIdentitySchema>;

/** SCSI's product without its vendor: that is what the kernel and udev call its model. */
export const smartIdentity = (report: SmartReport): SmartIdentity => ({
  model: report.scsi_product ?? report.product ?? report.model_name ?? null,
  serial: report.serial_number ?? null,
  wwn: wwnOf(report),
});

const hex = (value: number, digits: number): string => value.toString(16).padStart(digits, '0');

/** NAA: 4, 24 and 36 bits. EUI-64: 24 and 40 bits. */
const wwnOf = ({ wwn, logical_unit_id: unit, nvme_namespaces: namespaces }: SmartReport): string | null => {
  if (wwn !== undefined) return `${hex(wwn.naa, 1)}${hex(wwn.oui, 6)}${hex(wwn.id, 9)}`;
  if (unit !== undefined) return unit;
  const eui = namespaces?.[0]?.eui64;
  return eui === undefined ? null : `${hex(eui.oui, 6)}${hex(eui.ext_id, 10)}`;
};
