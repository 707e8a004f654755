import { expect, test } from 'vitest';
import { readOpaque } from '../../src/model/opaque.ts';

const OPAQUE = {
  provider: 'anthropic',
  name: 'm',
  thoughts: [{ text: 'hm', options: { anthropic: { signature: 's' } } }],
  calls: {},
};

test('it comes back from a transcript as it was', () => {
  expect(readOpaque(JSON.parse(JSON.stringify(OPAQUE)), 'anthropic', 'm')).toEqual(OPAQUE);
});

test.each<readonly [string, unknown]>([
  ['nothing', undefined],
  ['another provider', { ...OPAQUE, provider: 'openai' }],
  ['another model', { ...OPAQUE, name: 'n' }],
  ['something else', { ...OPAQUE, thoughts: 'hm' }],
])('%s is left out', (_name, value) => {
  expect(readOpaque(value, 'anthropic', 'm')).toBeNull();
});
