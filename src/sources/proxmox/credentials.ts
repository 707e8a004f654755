/** Who patrold is for a Proxmox API: an API token, or a user with a password who gets tickets. */
import { readFile } from 'node:fs/promises';
import { PatroldError } from '../../runtime/errors.ts';
import { createSecret, type Secret } from '../../runtime/secret.ts';

export type Credentials =
  /** `user@realm!name` and the secret that belongs to it. */
  | { readonly kind: 'token'; readonly tokenId: string; readonly secret: Secret }
  /** `user@realm` and the password. */
  | { readonly kind: 'password'; readonly username: string; readonly password: Secret };

export interface CredentialSettings {
  readonly tokenId?: string | undefined;
  readonly tokenSecret?: Secret | undefined;
  readonly tokenSecretFile?: string | undefined;
  readonly username?: string | undefined;
  readonly password?: Secret | undefined;
  readonly passwordFile?: string | undefined;
}

const secretOf = async (given: Secret | undefined, path: string | undefined, what: string): Promise<Secret> => {
  if (given !== undefined) return given;
  if (path === undefined) throw new PatroldError('source_not_answering', `no ${what} is configured`);
  try {
    const text = (await readFile(path, 'utf8')).trim();
    if (text !== '') return createSecret(text);
  } catch (cause) {
    const code = (cause as NodeJS.ErrnoException).code ?? 'unreadable';
    const reason = `${path} can't be read (${code}): it should hold the ${what}, readable for the user that patrold runs as`;
    throw new PatroldError('source_not_answering', reason, { cause });
  }
  throw new PatroldError('source_not_answering', `${path} is empty: it should hold the ${what}`);
};

/** Reads the file that holds the secret, where it is in one. Throws `source_not_answering`. */
export const readCredentials = async (settings: CredentialSettings): Promise<Credentials> => {
  const { tokenId, tokenSecret, tokenSecretFile, username, password, passwordFile } = settings;
  if (tokenId !== undefined) {
    return { kind: 'token', tokenId, secret: await secretOf(tokenSecret, tokenSecretFile, 'secret of the API token') };
  }
  return {
    kind: 'password',
    username: username ?? '',
    password: await secretOf(password, passwordFile, 'password'),
  };
};
