/** The settings that both Proxmox sources share: where, with which trust, as whom. */
import { z } from 'zod';
import { normalizeFingerprint } from '../../runtime/http-tls.ts';
import { createSecret } from '../../runtime/secret.ts';

const secret = z.string().min(1).max(16_384).transform(createSecret);
const file = z.string().min(1).max(4_096);

const MAX_ENDPOINTS = 64;

const fingerprint = z
  .string()
  .refine((text) => normalizeFingerprint(text) !== null, 'must be a SHA-256: 64 hex digits, colons allowed');

/** A bare host name or address is completed; a prefix of a proxy stays. */
const endpointUrl = (port: number) =>
  z
    .string()
    .min(1)
    .max(2_000)
    .transform((text) => (/^[a-z][a-z0-9+.-]*:\/\//i.test(text) ? text : `https://${text}`))
    .refine((text) => URL.canParse(text) && new URL(text).protocol === 'https:', `must look like https://host:${port}`)
    .refine((text) => !URL.canParse(text) || new URL(text).username === '', 'must not hold a user: use tokenId')
    .transform((text) => {
      const url = new URL(text);
      // 443 is dropped by URL whether or not it was written.
      const isPortWritten = /^https:\/\/[^/]*:\d+(?:\/|$)/i.test(text);
      if (!isPortWritten && url.port === '') url.port = String(port);
      return url.href.replace(/\/$/, '');
    });

/** `user@realm!name`. */
const TOKEN_ID = /^[^\s@!:/]+@[^\s@!:/]+![A-Za-z][A-Za-z0-9._-]*$/;
const USER_ID = /^[^\s@!:/]+@[^\s@!:/]+$/;

export const proxmoxConfigFields = (port: number, example: { readonly tokenId: string; readonly user: string }) =>
  ({
    endpoints: z
      .array(endpointUrl(port))
      .min(1)
      .max(MAX_ENDPOINTS)
      .describe(
        `Where the API answers, such as https://host:${port}; of several, the next one is asked where one is down.`,
      ),
    tokenId: z
      .string()
      .regex(TOKEN_ID, `must look like ${example.tokenId}`)
      .optional()
      .describe(`API token, as ${example.tokenId}.`),
    tokenSecret: secret
      .optional()
      .describe('Secret of the token; better in tokenSecretFile, or as ${NAME} of an environment variable.'),
    tokenSecretFile: file.optional().describe('File that holds the secret of the token.'),
    username: z
      .string()
      .regex(USER_ID, `must look like ${example.user}`)
      .optional()
      .describe(`User with its realm, as ${example.user}, where there is no token; one without a second factor.`),
    password: secret
      .optional()
      .describe('Password of that user; better in passwordFile, or as ${NAME} of an environment variable.'),
    passwordFile: file.optional().describe('File that holds the password.'),
    fingerprint: z
      .union([fingerprint, z.array(fingerprint).min(1).max(MAX_ENDPOINTS)])
      .optional()
      .describe('SHA-256 of the certificate, trusted instead of a CA; a list where several endpoints show their own.'),
    caFile: file.optional().describe('CA that signed the certificates.'),
  }) as const;

interface Together {
  readonly tokenId?: unknown;
  readonly tokenSecret?: unknown;
  readonly tokenSecretFile?: unknown;
  readonly username?: unknown;
  readonly password?: unknown;
  readonly passwordFile?: unknown;
}

/** Rules over several fields: a token or a user, each with one secret. */
export const checkCredentialFields = (config: Together, problem: (path: string, message: string) => void): void => {
  const has = (name: keyof Together): boolean => config[name] !== undefined;
  if (has('tokenSecret') && has('tokenSecretFile')) problem('tokenSecretFile', 'can not stand beside tokenSecret');
  if (has('password') && has('passwordFile')) problem('passwordFile', 'can not stand beside password');
  const hasTokenSecret = has('tokenSecret') || has('tokenSecretFile');
  const hasPassword = has('password') || has('passwordFile');
  if (has('tokenId') && has('username')) problem('username', 'can not stand beside tokenId');
  if (!has('tokenId') && !has('username'))
    problem('tokenId', 'is missing: patrold needs an API token, or username with a password');
  if (has('tokenId') && !hasTokenSecret) problem('tokenSecretFile', 'is missing beside tokenId');
  if (!has('tokenId') && hasTokenSecret) problem('tokenId', 'is missing beside its secret');
  if (has('username') && !hasPassword) problem('passwordFile', 'is missing beside username');
  if (!has('username') && hasPassword) problem('username', 'is missing beside the password');
};
