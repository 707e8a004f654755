/** Tokens as the CLI handles them. */
import type { Tokens } from '../cli/app.ts';
import { createTokenStore } from '../http/token-store.ts';
import type { Clock } from '../runtime/clock.ts';
import type { Database } from '../runtime/database.ts';
import type { NewId } from '../runtime/ids.ts';

export const tokensOf = (db: Database, clock: Clock, newId: NewId): Tokens => {
  const store = createTokenStore({ db, newId });
  return {
    create: (name, scopes) => store.create(name, scopes, clock.nowMs()),
    list: () => store.list(),
    revoke: (id) => store.revoke(id, clock.nowMs()),
  };
};
