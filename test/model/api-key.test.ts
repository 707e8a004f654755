import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readApiKey } from '../../src/model/api-key.ts';
import { createSecret } from '../../src/runtime/secret.ts';
import { temporaryDirectory } from '../support/temporary-directory.ts';

const fileWith = (text: string): string => {
  const path = join(temporaryDirectory(), 'key');
  writeFileSync(path, text);
  return path;
};

test('none is configured, one is, or a file holds it', async () => {
  expect(await readApiKey({})).toBeNull();
  expect(await readApiKey({ apiKey: createSecret('k1') })).toBe('k1');
  expect(await readApiKey({ apiKeyFile: fileWith(' k2\r\n') })).toBe('k2');
});

test.each([
  ['\n', /it is empty/],
  ['key one\nkey two', /has spaces/],
  ['schlüssel', /characters that no key has/],
])('a file with %j holds none, and is not quoted', async (text, why) => {
  const failed = readApiKey({ apiKeyFile: fileWith(text) });
  await expect(failed).rejects.toMatchObject({ kind: 'unauthorised', message: expect.stringMatching(why) });
  if (text.trim() !== '') await expect(failed).rejects.not.toThrow(text);
});
