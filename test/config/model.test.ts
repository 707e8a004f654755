import { expect, test } from 'vitest';
import { modelConfigSchema } from '../../src/config/model.ts';

const complaints = (config: object): readonly string[] =>
  modelConfigSchema.safeParse(config).error?.issues.map(({ path, message }) => `${path.join('.')}: ${message}`) ?? [];

const LOCAL = { provider: 'openai-compatible', name: 'm', baseUrl: 'http://127.0.0.1:11434/v1' };

test.each<readonly [object]>([
  [{}],
  [{ provider: 'none' }],
  [LOCAL],
  [{ provider: 'anthropic', name: 'm', apiKeyFile: 'key' }],
  [{ ...LOCAL, baseUrl: 'https://model.example/v1', caFile: 'ca.pem' }],
  [{ ...LOCAL, prices: { inputUsd: 0, outputUsd: 0 }, budget: { usdPer30Days: 5 }, timeouts: { idle: '2m' } }],
])('%j is accepted', (config) => {
  expect(complaints(config)).toEqual([]);
});

test.each<readonly [object, string]>([
  [{ provider: 'openai', apiKey: 'k' }, 'name: is missing: name the model'],
  [{ provider: 'openai', name: 'm' }, 'apiKeyFile: is missing: openai asks for a key'],
  [{ provider: 'openai-compatible', name: 'm' }, 'baseUrl: is missing: where does the server answer?'],
  [{ ...LOCAL, apiKey: 'k', apiKeyFile: 'f' }, 'apiKeyFile: can not stand beside apiKey'],
  [{ ...LOCAL, baseUrl: 'http://me:secret@host/v1' }, 'baseUrl: must hold neither a user nor a query: use apiKeyFile'],
  [{ ...LOCAL, baseUrl: 'ftp://host' }, 'baseUrl: must be a URL such as http://127.0.0.1:11434/v1'],
  [{ ...LOCAL, caFile: 'ca.pem' }, 'caFile: is of use only with an https URL'],
])('%j is refused', (config, complaint) => {
  expect(complaints(config)).toContain(complaint);
});

test('a key is a secret from the moment it is read', () => {
  const config = modelConfigSchema.parse({ ...LOCAL, apiKey: 'sk-very-secret' });
  expect(JSON.stringify(config)).not.toContain('very-secret');
  expect(config.apiKey?.reveal()).toBe('sk-very-secret');
});
