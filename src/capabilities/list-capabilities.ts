/** `GET /api/agent/capabilities`: everything that can be asked, open to all. */
import { z } from 'zod';
import { succeed } from './answer.ts';
import { defineCapability } from './capability.ts';
import { manifestSchema } from './manifest-schema.ts';

export const listCapabilities = defineCapability({
  name: 'list_capabilities',
  title: 'What patrold can be asked',
  description: 'Every capability with its path, scope, input and output as JSON Schema, and the errors it can answer.',
  category: 'agent',
  method: 'GET',
  path: '/api/agent/capabilities',
  scope: 'open',
  mode: 'read',
  approval: 'never',
  input: z.strictObject({}),
  output: manifestSchema,
  invalidInput: 'invalid_request',
  errors: ['invalid_request'],
  handle: (_input, { ports }) => succeed(ports.manifest()),
});
