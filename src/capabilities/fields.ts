/** Parts that many inputs and outputs have in common. */
import { z } from 'zod';
import type { LimitOrigin } from '../../signals/limits.ts';
import { RESOURCE_KINDS } from '../../signals/resource.ts';
import { originText } from '../patrol/write-report.ts';

/** Longer than any id that patrold makes. */
const MAX_ID_LENGTH = 1_000;
const MAX_TEXT_LENGTH = 200;

export const idInput = z.string().max(MAX_ID_LENGTH);
export const nameInput = z.string().min(1).max(MAX_ID_LENGTH);
export const textInput = z.string().min(1).max(MAX_TEXT_LENGTH);

/** Several at once are alternatives. */
export const anyOf = <const V extends readonly [string, ...string[]]>(values: V) =>
  z.array(z.enum(values)).min(1).max(values.length).readonly();

export const atMs = z.int().describe('epoch milliseconds');
export const facts = z.record(z.string(), z.union([z.string(), z.number(), z.boolean()])).readonly();

export const resourceName = z.strictObject({
  id: z.string(),
  name: z.string().describe('its id, where nothing more is known of it'),
  kind: z.enum(RESOURCE_KINDS).nullable(),
});

export const origin = z
  .strictObject({ kind: z.enum(['default', 'setting', 'override', 'import', 'derived']), text: z.string() })
  .describe('who set it, and where: `default`, a path in the config, what it was imported from, why it was derived');

export const originOf = (from: LimitOrigin): z.output<typeof origin> => ({ kind: from.kind, text: originText(from) });
