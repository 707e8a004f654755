/** Who may use what: scopes that tokens hold and capabilities ask for. */

/** `read`: look. `operate`: finding verbs, runs. `approve`: decide about actions. `admin`: everything. */
export const TOKEN_SCOPES = ['read', 'operate', 'approve', 'admin'] as const;
export type TokenScope = (typeof TOKEN_SCOPES)[number];

/** `open`: no token is asked for. */
export type RequiredScope = TokenScope | 'open';

/** Whoever may act or decide may see what about; operating and approving are different people's business. */
const GRANTS: Readonly<Record<TokenScope, readonly TokenScope[]>> = {
  read: ['read'],
  operate: ['read', 'operate'],
  approve: ['read', 'approve'],
  admin: TOKEN_SCOPES,
};

export const allows = (held: readonly TokenScope[], required: RequiredScope): boolean =>
  required === 'open' || held.some((scope) => GRANTS[scope].includes(required));

export const isTokenScope = (value: string): value is TokenScope => TOKEN_SCOPES.some((scope) => scope === value);
