/** Fields as Proxmox VE writes them: numbers as text or null, flags as 0 and 1, things left out. Lenient. */
import { z } from 'zod';

/** A figure that is none is as good as absent. */
export const figure = z
  .union([z.number(), z.string().regex(/^-?\d+(?:\.\d+)?(?:e[+-]?\d+)?$/i)])
  .transform(Number)
  .optional()
  .catch(undefined);

/** Absent where it is neither 0, 1 nor their like. */
export const flag = z
  .union([z.boolean(), z.number(), z.string()])
  .transform(
    (value) => value === true || value === 1 || value === '1' || value === 'true' || value === 'yes' || value === 'on',
  )
  .optional()
  .catch(undefined);

export const text = z.union([z.string(), z.number()]).transform(String).optional().catch(undefined);

/** VMIDs are numbers; nothing here depends on that. */
export const identifier = z.union([z.string().min(1).max(64), z.number()]).transform(String);
