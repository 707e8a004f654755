/** `/nodes/{node}/disks/smart`: a table for ATA, smartctl's text for NVMe and SAS. */
import { z } from 'zod';
import { figure, text } from '../answer-fields.ts';

const attribute = z.looseObject({
  id: z.union([z.string(), z.number()]).transform((value) => Number.parseInt(String(value), 10)),
  name: z.string(),
  /** The normalised value; older versions call it `value`. */
  normalized: figure,
  value: figure,
  worst: figure,
  threshold: figure,
  /** `-`, `past` or `NOW`. */
  fail: text,
  /** Such as `PO--CK`; P is prefail. */
  flags: text,
  raw: text,
});

export const smartAnswer = z.looseObject({
  /** `PASSED`, `FAILED!`, `OK`, `UNKNOWN`, `SMART Disabled`. */
  health: text,
  type: text,
  text: text,
  wearout: figure,
  attributes: z.array(z.unknown()).optional().catch(undefined),
});
export type SmartAnswer = z.infer<typeof smartAnswer>;

export type SmartAnswerAttribute = z.infer<typeof attribute>;

const MAX_ATTRIBUTES = 64;

/** Entries that are none are left out. */
export const attributesOf = ({ attributes = [] }: SmartAnswer): readonly SmartAnswerAttribute[] =>
  attributes.slice(0, MAX_ATTRIBUTES).flatMap((entry) => {
    const checked = attribute.safeParse(entry).data;
    return checked === undefined || !Number.isInteger(checked.id) ? [] : [checked];
  });
