/** What patrold can be asked, for clients that have never seen it. */
import { z } from 'zod';
import { TOKEN_SCOPES } from './access.ts';
import { API_ERRORS, type ApiErrorCode, WAY_ERROR_CODES } from './api-errors.ts';
import { type AnyCapability, CAPABILITY_CATEGORIES } from './capability.ts';

const jsonSchema = z.record(z.string(), z.unknown()).describe('JSON Schema, draft 2020-12');

const errorSchema = z.strictObject({
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

const errorOf = (code: ApiErrorCode): z.output<typeof errorSchema> => ({ code, ...API_ERRORS[code] });

const entryOf = (capability: AnyCapability): Manifest['capabilities'][number] => {
  const { name, title, description, category, method, path, scope, mode, approval, input, output, errors } = capability;
  return {
    name,
    title,
    description,
    category,
    method,
    path,
    scope,
    mode,
    approval,
    input: z.toJSONSchema(input, { io: 'input' }),
    output: z.toJSONSchema(output),
    errors: errors.map(errorOf),
  };
};

/** Made when it is first asked for: JSON Schemas take a moment. */
export const createManifest = (capabilities: readonly AnyCapability[], version: string): (() => Manifest) => {
  let made: Manifest | undefined;
  return () => {
    made ??= {
      service: 'patrold',
      version,
      scopes: TOKEN_SCOPES,
      capabilities: capabilities.map(entryOf),
      errors: WAY_ERROR_CODES.map(errorOf),
    };
    return made;
  };
};
