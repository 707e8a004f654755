/** Tokens as the CLI handles them. */
import type { Tokens } from '../cli/app.ts';
import { createTokenStore } from '../http/token-store.ts';
import type { Database } from '../runtime/database.ts';
import type { Essentials } from './patrol.ts';

export const tokensOf = (db: Database, { clock, newId, logger }: Essentials): Tokens => {
  const store = createTokenStore({ db, newId, clock, logger });
  return { create: store.create, list: store.list, revoke: store.revoke };
};
