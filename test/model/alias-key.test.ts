import { statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readOrCreateAliasKey } from '../../src/model/alias-key.ts';
import { temporaryDirectory } from '../support/temporary-directory.ts';

test('a key is made once, for its owner alone, and read from then on', () => {
  const path = join(temporaryDirectory(), 'alias.key');
  const key = readOrCreateAliasKey(path);
  expect(key).toMatch(/^[0-9a-f]{64}$/);
  expect(readOrCreateAliasKey(path)).toBe(key);
  expect(statSync(path).mode & 0o777).toBe(0o600);
});

test('what is no key is not replaced by a new one', () => {
  const path = join(temporaryDirectory(), 'alias.key');
  writeFileSync(path, 'half a k');
  expect(() => readOrCreateAliasKey(path)).toThrow(expect.objectContaining({ code: 'alias_key_unusable' }));
});

test('a directory that is not there is a failure with a name', () => {
  const path = join(temporaryDirectory(), 'missing', 'alias.key');
  expect(() => readOrCreateAliasKey(path)).toThrow(/alias\.key, can not be used \(ENOENT\)/);
});
