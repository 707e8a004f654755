import fc from 'fast-check';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { createUrlReader } from '../../src/http/query-input.ts';

const input = z.strictObject({
  id: z.string(),
  limit: z.int().min(1).default(50),
  ratio: z.number().optional(),
  gone: z.boolean().default(false),
  kind: z.array(z.enum(['disk', 'host'])).optional(),
  text: z.string().optional(),
});
const read = createUrlReader({ input });

test('texts become what the schema asks for', () => {
  const query = { limit: '20', ratio: '0.5', gone: 'true', kind: 'disk,host', text: '20' };
  expect(read({ query, params: { id: '7' } })).toEqual({
    values: { id: '7', limit: 20, ratio: 0.5, gone: true, kind: ['disk', 'host'], text: '20' },
    problems: [],
  });
});

test('a list may be repeated, with and without commas', () => {
  expect(read({ query: { kind: ['disk', 'host,disk'] }, params: {} }).values).toEqual({
    kind: ['disk', 'host', 'disk'],
  });
});

test.each(['', ' 1', '1e3', '0x10', '1_000', 'Infinity', 'NaN', '１', '99999999999999999999', '--1', '1.'])(
  '"%s" is left as it is for the schema to refuse as no number',
  (text) => {
    expect(read({ query: { limit: text }, params: {} }).values).toEqual({ limit: text });
  },
);

test.each(['', 'True', '1', 'yes'])(
  '"%s" is left as it is for the schema to refuse as neither true nor false',
  (text) => {
    expect(read({ query: { gone: text }, params: {} }).values).toEqual({ gone: text });
  },
);

test('a parameter that is given twice, or in the path already, is a problem that names it', () => {
  expect(read({ query: { limit: ['1', '2'], id: 'x' }, params: { id: '7' } })).toEqual({
    values: { id: '7' },
    problems: [
      { path: 'limit', message: 'it is given more than once' },
      { path: 'id', message: 'it is given by the path' },
    ],
  });
});

test('whatever the query holds, nothing is thrown, no prototype changes, and unknown names stay to be refused', () => {
  const query = fc.dictionary(
    fc.oneof(fc.string(), fc.constantFrom('__proto__', 'constructor', 'toString', 'limit', 'gone', 'kind', 'id')),
    fc.oneof(fc.string(), fc.array(fc.string(), { minLength: 1 })),
    { noNullPrototype: false },
  );
  fc.assert(
    fc.property(query, (given) => {
      const { values, problems } = read({ query: given, params: { id: '7' } });
      expect(Object.getPrototypeOf(values)).toBe(Object.prototype);
      expect(({} as Record<string, unknown>)['polluted']).toBe(undefined);
      const told = new Set([...Object.keys(values), ...problems.map(({ path }) => path)]);
      for (const name of Object.keys(given)) expect(told).toContain(name);
    }),
  );
});
