/** What patrold can be asked, for clients that have never seen it. */
import { z } from 'zod';
import { TOKEN_SCOPES } from './access.ts';
import { API_ERRORS, type ApiErrorCode, WAY_ERROR_CODES } from './api-errors.ts';
import type { AnyCapability } from './capability.ts';
import type { errorSchema, Manifest } from './manifest-schema.ts';

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
