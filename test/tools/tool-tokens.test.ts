import { expect, test } from 'vitest';
import { z } from 'zod';
import { filingTools, lookingTools } from '../../src/tools/index.ts';
import { countTokens } from '../support/count-tokens.ts';

const OFFERED_TOKENS = 3_000;

const specs = [...lookingTools, ...filingTools].map(({ name, description, input }) => ({
  name,
  description,
  inputSchema: z.toJSONSchema(input, { io: 'input', target: 'draft-7' }),
}));

test(`everything that is offered takes less than ${OFFERED_TOKENS} tokens`, () => {
  const tokens = countTokens(JSON.stringify(specs));
  console.info(`${specs.length} tools, ${tokens} tokens`);
  expect(tokens).toBeLessThan(OFFERED_TOKENS);
});

test('no two tools have the same name, and each says in one line what it is for', () => {
  expect(new Set(specs.map(({ name }) => name)).size).toBe(specs.length);
  for (const { description } of specs) {
    expect(description.length).toBeLessThan(220);
    expect(description).not.toContain('\n');
  }
});

test('every tool takes an object whose other properties are refused', () => {
  for (const { inputSchema } of specs)
    expect(inputSchema).toMatchObject({ type: 'object', additionalProperties: false });
});
