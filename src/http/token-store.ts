/** Tokens in the database: made, listed, revoked, and recognised when they are shown. */
import { isTokenScope, TOKEN_SCOPES, type TokenScope } from '../capabilities/access.ts';
import type { Clock } from '../runtime/clock.ts';
import type { Database } from '../runtime/database.ts';
import { and, asc, count, eq, isNull } from '../runtime/drizzle.ts';
import { PatroldError } from '../runtime/errors.ts';
import type { NewId } from '../runtime/ids.ts';
import type { Logger } from '../runtime/logger.ts';
import { cleanText } from '../runtime/text.ts';
import { tokens } from './schema.ts';
import { hashToken, isTokenSecret, newTokenSecret, sameHash } from './token-secret.ts';

/** In force at once. Each is compared with what a caller shows, so that the time tells nothing. */
export const MAX_TOKENS = 200;
const MAX_NAME_LENGTH = 100;
/** Writing at every request would wear the disk for nothing. */
const LAST_USED_STEP_MS = 600_000;

export interface Token {
  readonly id: string;
  readonly name: string;
  readonly scopes: readonly TokenScope[];
  readonly createdAtMs: number;
  /** To within ten minutes; null: never. */
  readonly lastUsedAtMs: number | null;
  readonly revokedAtMs: number | null;
}

export interface CreatedToken {
  readonly id: string;
  /** Shown once, kept nowhere. */
  readonly secret: string;
}

export interface TokenStore {
  /** Throws `token_invalid` for a name or scope that makes none, and where there are too many. */
  create(name: string, scopes: readonly string[]): CreatedToken;
  /**
   * Only if there has never been one; null: there has. `keep` gets the secret before anything is committed: if it throws,
   * there is no token.
   */
  createFirst(name: string, scopes: readonly string[], keep: (secret: string) => void): CreatedToken | null;
  /** Oldest first, revoked ones too. */
  list(): readonly Token[];
  /** False: there is no such token in force. */
  revoke(id: string): boolean;
  /** Whose secret it is; null: nobody's, or a revoked one. */
  verify(secret: string): Token | null;
}

export interface TokenStoreDeps {
  readonly db: Database;
  readonly newId: NewId;
  readonly clock: Pick<Clock, 'nowMs'>;
  readonly logger: Logger;
}

const invalid = (message: string): PatroldError => new PatroldError('token_invalid', message);

const checkedName = (typed: string): string => {
  const name = cleanText(typed, MAX_NAME_LENGTH);
  if (name === '') throw invalid('a token needs a name, by which it is told from others');
  return name;
};

const checkedScopes = (typed: readonly string[]): readonly TokenScope[] => {
  const wrong = typed.find((scope) => !isTokenScope(scope));
  if (wrong !== undefined) throw invalid(`there is no scope "${wrong}"; the scopes are ${TOKEN_SCOPES.join(', ')}`);
  if (typed.length === 0) throw invalid(`a token needs a scope: ${TOKEN_SCOPES.join(', ')}`);
  return TOKEN_SCOPES.filter((scope) => typed.includes(scope));
};

const fromRow = ({ secretHash: _hash, scopes, ...row }: typeof tokens.$inferSelect): Token => ({
  ...row,
  scopes: (JSON.parse(scopes) as string[]).filter(isTokenScope),
});

export const createTokenStore = ({ db, newId, clock, logger }: TokenStoreDeps): TokenStore => {
  const { orm } = db;
  const inForce = db.prepare(
    orm.select({ id: tokens.id, secretHash: tokens.secretHash }).from(tokens).where(isNull(tokens.revokedAtMs)),
  );
  const byId = (id: string): Token | null => {
    const row = orm.select().from(tokens).where(eq(tokens.id, id)).get();
    return row === undefined ? null : fromRow(row);
  };
  const insert = (name: string, scopes: readonly TokenScope[], secret: string): CreatedToken => {
    const id = newId();
    const secretHash = hashToken(secret);
    const row = { id, name, scopes: JSON.stringify(scopes), secretHash, createdAtMs: clock.nowMs() };
    orm.insert(tokens).values(row).run();
    return { id, secret };
  };
  const note = ({ id, lastUsedAtMs }: Token): void => {
    const nowMs = clock.nowMs();
    if (lastUsedAtMs !== null && Math.abs(nowMs - lastUsedAtMs) < LAST_USED_STEP_MS) return;
    try {
      orm.update(tokens).set({ lastUsedAtMs: nowMs }).where(eq(tokens.id, id)).run();
    } catch (err) {
      // A full disk must not keep people from reading what is wrong.
      logger.warn({ err }, 'the use of a token could not be noted');
    }
  };

  return {
    create: (typedName, typedScopes) => {
      const [name, scopes] = [checkedName(typedName), checkedScopes(typedScopes)];
      return orm.transaction(
        () => {
          if (inForce.all().length >= MAX_TOKENS) throw invalid(`there are ${MAX_TOKENS} tokens already: revoke some`);
          return insert(name, scopes, newTokenSecret());
        },
        { behavior: 'immediate' },
      );
    },
    createFirst: (typedName, typedScopes, keep) => {
      const [name, scopes] = [checkedName(typedName), checkedScopes(typedScopes)];
      return orm.transaction(
        () => {
          const known = orm.select({ total: count() }).from(tokens).get()?.total ?? 0;
          if (known > 0) return null;
          const created = insert(name, scopes, newTokenSecret());
          keep(created.secret);
          return created;
        },
        { behavior: 'immediate' },
      );
    },
    list: () => orm.select().from(tokens).orderBy(asc(tokens.createdAtMs), asc(tokens.id)).all().map(fromRow),
    revoke: (id) =>
      orm
        .update(tokens)
        .set({ revokedAtMs: clock.nowMs() })
        .where(and(eq(tokens.id, id), isNull(tokens.revokedAtMs)))
        .run().changes > 0,
    verify: (secret) => {
      if (!isTokenSecret(secret)) return null;
      const shown = hashToken(secret);
      let found: string | null = null;
      // All of them, also after a match: neither which one it is nor how near a guess came can be timed.
      for (const row of inForce.all() as { readonly id: string; readonly secret_hash: string }[]) {
        if (sameHash(row.secret_hash, shown)) found = row.id;
      }
      const token = found === null ? null : byId(found);
      if (token === null || token.revokedAtMs !== null) return null;
      note(token);
      return token;
    },
  };
};
