import fc from 'fast-check';
import { expect, test } from 'vitest';
import { keyOwner, keyType, MAX_KEY_LENGTH, storedKey, storedKeyOf } from '../../findings/identity.ts';
import { DETECTORS } from '../support/findings.ts';

test('the keys of detectors are stored as they are', () => {
  for (const key of ['high_disk', 'backup_failed:home/vm/104', 'high_disk:/srv/my data', 'unit:foo@bar.service'])
    expect(storedKey(key)).toBe(key);
  expect(storedKeyOf('backup_failed', 'job-7')).toBe('backup_failed:job-7');
  expect(storedKeyOf('high_cpu', null)).toBe('high_cpu');
});

test('what can not be seen does not get into a key, and does not make two keys one by going', () => {
  expect(storedKey('web\u202e1')).toBe('web\u00b71');
  expect(storedKey('web\u202e1')).not.toBe(storedKey('web1'));
  expect(storedKey('web\n1')).toBe('web\u00b71');
});

test('a long key is cut, and differs where its end did', () => {
  const long = `high_disk:/${'a'.repeat(500)}`;
  expect(storedKey(`${long}1`).length).toBeLessThanOrEqual(MAX_KEY_LENGTH);
  expect(storedKey(`${long}1`)).not.toBe(storedKey(`${long}2`));
});

test('any text makes a bounded key that can be stored again unchanged', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 400 }), (text) => {
      const key = storedKey(text);
      return key.length <= MAX_KEY_LENGTH && storedKey(key) === key && key.isWellFormed();
    }),
    { numRuns: 1000 },
  );
});

test('the type is what stands before the first colon, and owns the key if a detector has that name', () => {
  expect(keyType('backup_failed:nas:daily')).toBe('backup_failed');
  expect(keyOwner('backup_failed:nas', DETECTORS)).toBe('backup_failed');
  expect(keyOwner('backup_failed_again', DETECTORS)).toBeNull();
  expect(keyOwner('old-snapshots', DETECTORS)).toBeNull();
});
