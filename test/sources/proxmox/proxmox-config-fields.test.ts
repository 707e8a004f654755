import { expect, it } from 'vitest';
import { z } from 'zod';
import { checkCredentialFields, proxmoxConfigFields } from '../../../src/sources/proxmox/proxmox-config-fields.ts';

const fields = proxmoxConfigFields(8006, { tokenId: 'patrold@pve!read', user: 'patrold@pve' });
const schema = z
  .strictObject(fields)
  .superRefine((config, context) =>
    checkCredentialFields(config, (path, message) => context.addIssue({ code: 'custom', path: [path], message })),
  );
const token = { tokenId: 'patrold@pve!read', tokenSecret: 'x' };
const endpointsOf = (...endpoints: readonly string[]) => schema.parse({ endpoints, ...token }).endpoints;
const problems = (config: unknown): readonly string[] =>
  (schema.safeParse(config).error?.issues ?? []).map(({ path, message }) => `${path.join('.')}: ${message}`);

it('completes what is left out of an address', () => {
  expect(
    endpointsOf(
      'pve1',
      'https://pve1',
      'https://pve1:8006/',
      '192.0.2.1:8443',
      'https://[2001:db8::1]',
      'https://proxy:443/pve/',
    ),
  ).toEqual([
    'https://pve1:8006',
    'https://pve1:8006',
    'https://pve1:8006',
    'https://192.0.2.1:8443',
    'https://[2001:db8::1]:8006',
    'https://proxy/pve',
  ]);
});

it('wants a token or a user, each with one secret', () => {
  const endpoints = ['pve1'];
  expect(problems({ endpoints, ...token })).toEqual([]);
  expect(problems({ endpoints, username: 'patrold@pve', passwordFile: 'p' })).toEqual([]);
  expect(problems({ endpoints })).toEqual([expect.stringContaining('tokenId: is missing')]);
  expect(problems({ endpoints, tokenId: 'patrold@pve!read' })).toEqual([expect.stringContaining('tokenSecretFile')]);
  expect(problems({ endpoints, ...token, tokenSecretFile: 'f' })).toEqual([
    expect.stringContaining('beside tokenSecret'),
  ]);
  expect(problems({ endpoints, ...token, username: 'a@pve', password: 'x' })).toEqual([
    expect.stringContaining('beside tokenId'),
  ]);
  expect(problems({ endpoints, password: 'x' }).join()).toContain('username: is missing');
});

it.each([
  [{ endpoints: [], ...token }, 'endpoints'],
  [{ endpoints: ['http://pve1:8006'], ...token }, 'https'],
  [{ endpoints: ['https://user:pass@pve1:8006'], ...token }, 'must not hold a user'],
  [{ endpoints: ['pve1'], tokenId: 'patrold', tokenSecret: 'x' }, 'must look like'],
  [{ endpoints: ['pve1'], ...token, fingerprint: 'AB:CD' }, 'SHA-256'],
])('refuses %j', (config, words) => {
  expect(problems(config).join()).toContain(words);
});
