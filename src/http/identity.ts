/** Who a request comes from, by the token that it shows. */
import { allows, type RequiredScope } from '../capabilities/access.ts';
import { type Failure, fail } from '../capabilities/answer.ts';
import type { Caller } from '../capabilities/capability.ts';
import type { Token, TokenStore } from './token-store.ts';

export type Identity =
  | { readonly kind: 'token'; readonly token: Token }
  /** `shown`: it showed something, but no token in force. */
  | { readonly kind: 'anonymous'; readonly shown: boolean }
  /** The store did not say. */
  | { readonly kind: 'unknown'; readonly error: unknown };

/** RFC 6750, section 2.1; the scheme in any case. */
const BEARER = /^Bearer +([A-Za-z0-9._~+/=-]+) *$/i;

export const identify = (authorization: string | undefined, tokens: Pick<TokenStore, 'verify'>): Identity => {
  if (authorization === undefined) return { kind: 'anonymous', shown: false };
  const [, secret] = BEARER.exec(authorization) ?? [];
  try {
    const token = secret === undefined ? null : tokens.verify(secret);
    return token === null ? { kind: 'anonymous', shown: true } : { kind: 'token', token };
  } catch (error) {
    return { kind: 'unknown', error };
  }
};

/** By what its requests are counted. */
export const limitKey = (identity: Identity, address: string): string =>
  identity.kind === 'token' ? `token ${identity.token.id}` : `address ${address}`;

export const NOBODY: Caller = { name: 'nobody', scopes: [] };

export const callerOf = (identity: Identity): Caller =>
  identity.kind === 'token' ? { name: identity.token.name, scopes: identity.token.scopes } : NOBODY;

/** Null: it may. Throws where it can not be told. */
export const whyRefused = (
  identity: Identity,
  scope: RequiredScope,
): Failure<'not_authenticated' | 'scope_missing'> | null => {
  if (scope === 'open') return null;
  switch (identity.kind) {
    case 'unknown':
      throw identity.error;
    case 'anonymous':
      return identity.shown
        ? fail('not_authenticated', 'the token is unknown or revoked', { shown: true })
        : fail('not_authenticated', 'it needs a token: Authorization: Bearer <token>');
    case 'token':
      return allows(identity.token.scopes, scope)
        ? null
        : fail('scope_missing', `it needs the scope ${scope}`, { needed: scope, held: identity.token.scopes });
  }
};
