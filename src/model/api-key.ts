/** The key of a provider, read when a model is first asked. */
import { readFile } from 'node:fs/promises';
import type { Secret } from '../runtime/secret.ts';
import { ModelFailure } from './model-failure.ts';

export interface KeySource {
  readonly apiKey?: Secret | undefined;
  readonly apiKeyFile?: string | undefined;
}

/** What an HTTP header may hold (RFC 9110, 5.5); a key with anything else was copied wrongly. */
const USABLE = /^[\x21-\x7e]{1,16384}$/;

/** Null: none is configured. Rejects with `unauthorised`, naming the file and never what is in it. */
export const readApiKey = async ({ apiKey, apiKeyFile }: KeySource): Promise<string | null> => {
  if (apiKeyFile === undefined) return apiKey === undefined ? null : usable(apiKey.reveal(), 'model.apiKey');
  try {
    return usable(await readFile(apiKeyFile, 'utf8'), `model.apiKeyFile ${apiKeyFile}`);
  } catch (cause) {
    if (cause instanceof ModelFailure) throw cause;
    const code = (cause as NodeJS.ErrnoException).code ?? 'unreadable';
    const message = `model.apiKeyFile ${apiKeyFile} can't be read (${code}): check the path, and that patrold's user may read it`;
    throw new ModelFailure('unauthorised', message, { cause });
  }
};

const usable = (text: string, from: string): string => {
  const key = text.trim();
  if (USABLE.test(key)) return key;
  throw new ModelFailure(
    'unauthorised',
    `${from} holds no key: ${key === '' ? 'it is empty' : 'it has spaces or characters that no key has'}`,
  );
};
