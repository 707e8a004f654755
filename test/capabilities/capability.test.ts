import { expect, test } from 'vitest';
import { z } from 'zod';
import { fail, succeed } from '../../src/capabilities/answer.ts';
import { callCapability } from '../../src/capabilities/call-capability.ts';
import { defineCapability } from '../../src/capabilities/capability.ts';
import { NOBODY } from '../../src/http/identity.ts';
import { openStore } from '../support/http-house.ts';

const common = {
  name: 'look',
  title: 'Look',
  description: 'Looks at something.',
  category: 'runs',
  method: 'GET',
  path: '/api/look/:id',
  scope: 'read',
  mode: 'read',
  approval: 'never',
  input: z.strictObject({
    id: z.string(),
    count: z.int().max(3).default(1),
    list: z.array(z.string().min(1)).optional(),
  }),
  output: z.strictObject({ seen: z.string() }),
} as const;

const look = defineCapability({
  ...common,
  invalidInput: 'invalid_request',
  errors: ['invalid_request', 'missing_id', 'run_not_found'],
  handle: ({ id, count }) => (id === 'x' ? fail('run_not_found', 'none') : succeed({ seen: `${id} ${count}` })),
});

test('a code or a value that is not declared is an error of its types', () => {
  defineCapability({
    ...common,
    invalidInput: 'invalid_request',
    errors: ['invalid_request'],
    // @ts-expect-error resource_not_found is not among the errors
    handle: () => fail('resource_not_found', 'none'),
  });
  defineCapability({
    ...common,
    invalidInput: 'invalid_request',
    errors: ['invalid_request'],
    // @ts-expect-error the output has no such property
    handle: () => succeed({ found: 'x' }),
  });
  defineCapability({
    ...common,
    // @ts-expect-error the code for bad input is not among the errors
    invalidInput: 'invalid_finding_request',
    errors: ['invalid_request'],
    handle: () => succeed({ seen: 'x' }),
  });
  expect(look.errors).toEqual(['invalid_request', 'missing_id', 'run_not_found']);
});

const call = (raw: Readonly<Record<string, unknown>>, problems: { path: string; message: string }[] = []) => {
  const { ports } = openStore();
  const context = { ports, caller: NOBODY, nowMs: 0, signal: new AbortController().signal };
  return callCapability(look, raw, context, problems);
};

test('what fits reaches the handler with its defaults', async () => {
  expect(await call({ id: 'a' })).toEqual({ ok: true, value: { seen: 'a 1' } });
});

test('what the handler says it can not do is passed on', async () => {
  expect(await call({ id: 'x' })).toEqual({ ok: false, code: 'run_not_found', message: 'none' });
});

test.each([{}, { id: '' }, { id: undefined }])('without the id of its path, %j lacks it', async (raw) => {
  expect(await call(raw)).toMatchObject({ ok: false, code: 'missing_id' });
});

test('every problem is told, those of the way there too', async () => {
  const answer = await call({ id: 7, count: 9, list: ['a', ''], more: 1 }, [{ path: 'count', message: 'twice' }]);
  expect(answer).toMatchObject({ ok: false, code: 'invalid_request', message: 'the input has 5 problems' });
  const { details } = answer as unknown as {
    readonly details: { readonly problems: readonly { readonly path: string }[] };
  };
  expect(details.problems.map(({ path }) => path).toSorted()).toEqual(['', 'count', 'count', 'id', 'list[1]']);
});

test('of very many problems the first fifty are told', async () => {
  const answer = await call({ id: 'a', list: Array.from({ length: 500 }, () => '') });
  const { details } = answer as unknown as { details: { problems: unknown[] } };
  expect(details.problems).toHaveLength(50);
});
