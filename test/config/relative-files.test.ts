import { expect, test } from 'vitest';
import { resolveFiles } from '../../src/config/relative-files.ts';

test('files are looked for beside the config, wherever they are named; other settings are left alone', () => {
  const config = {
    sources: [
      { caFile: 'ca.pem', keyFile: '/etc/key.pem', certFile: '', url: 'a.pem' },
      { inner: { passwordFile: '../restic.pw' } },
    ],
    aFile: 7,
    path: 'x',
  };
  expect(resolveFiles(config, '/etc/patrold')).toEqual({
    sources: [
      { caFile: '/etc/patrold/ca.pem', keyFile: '/etc/key.pem', certFile: '', url: 'a.pem' },
      { inner: { passwordFile: '/etc/restic.pw' } },
    ],
    aFile: 7,
    path: 'x',
  });
});
