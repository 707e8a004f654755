/** The shape of the manifest, apart from how it is made: what capabilities look through may name it. */
import { z } from 'zod';
import { TOKEN_SCOPES } from './access.ts';
import { CAPABILITY_CATEGORIES } from './category.ts';

const jsonSchema = z.record(z.string(), z.unknown()).describe('JSON Schema, draft 2020-12');

export const errorSchema = z.strictObject({
  code: z.string().describe('stable; the value of `error` in the body'),
  status: z.int().describe('HTTP status'),
  meaning: z.string(),
});

export const manifestSchema = z.strictObject({
  service: z.literal('patrold'),
  version: z.string(),
  scopes: z.array(z.enum(TOKEN_SCOPES)).readonly().describe('what tokens can hold; `admin` includes all'),
  capabilities: z
    .array(
      z.strictObject({
        name: z.string(),
        title: z.string(),
        description: z.string(),
        category: z.enum(CAPABILITY_CATEGORIES),
        method: z.enum(['GET', 'POST', 'PUT', 'PATCH', 'DELETE']),
        path: z.string().describe('`:name` stands for a parameter, percent-encoded'),
        scope: z.enum(['open', ...TOKEN_SCOPES]),
        mode: z.enum(['read', 'write']),
        approval: z.enum(['never', 'by_policy', 'always']),
        input: jsonSchema,
        output: jsonSchema,
        errors: z.array(errorSchema).readonly(),
      }),
    )
    .readonly(),
  errors: z.array(errorSchema).readonly().describe('what any request can be answered beside those of its capability'),
});

export type Manifest = z.output<typeof manifestSchema>;
