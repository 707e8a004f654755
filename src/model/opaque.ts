/** What a provider wants to see again of its own answer: thoughts with their signatures, marks on calls. */
import { z } from 'zod';
import type { ProviderOptions } from './providers/provider.ts';

/** JSON of the provider's own making: stored with the transcript, handed back, never read. */
const options = z.custom<ProviderOptions>((value) => typeof value === 'object' && value !== null).optional();

const opaqueSchema = z.strictObject({
  provider: z.string(),
  name: z.string(),
  thoughts: z.array(z.strictObject({ text: z.string(), options })).readonly(),
  text: options,
  /** By the call's id. */
  calls: z.record(z.string(), z.custom<ProviderOptions>()),
});

export type Opaque = z.output<typeof opaqueSchema>;

/** Null where it is missing, broken, or another model's: signatures are worth nothing elsewhere. */
export const readOpaque = (value: unknown, provider: string, name: string): Opaque | null => {
  const parsed = opaqueSchema.safeParse(value);
  return parsed.success && parsed.data.provider === provider && parsed.data.name === name ? parsed.data : null;
};
