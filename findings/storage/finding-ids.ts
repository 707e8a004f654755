/** What somebody typed -> a finding's id: the whole id, its unique beginning or end, or the id of one merged into it. */
import type { Database } from '../../src/runtime/database.ts';
import { and, eq, gte, like, lt } from '../../src/runtime/drizzle.ts';
import { PatroldError } from '../../src/runtime/errors.ts';
import { canonicalId, ID_LENGTH, shortId } from '../../src/runtime/ids.ts';
import type { FindingId } from '../finding.ts';
import { findingAliases, findings } from '../schema.ts';

/** Shorter ends are met by chance. */
export const SHORTEST_ID_PART = 4;
/** How many candidates an error names. */
const NAMED = 4;

export interface FindingIds {
  /** Throws `finding_not_found` or `finding_id_ambiguous`. */
  resolve(typed: string): FindingId;
  /** The finding and those that were merged into it. */
  family(id: FindingId): readonly FindingId[];
}

export const createFindingIds = ({ orm }: Database): FindingIds => {
  const exact = (id: string): FindingId | null => {
    const own = orm.select({ id: findings.id }).from(findings).where(eq(findings.id, id)).get();
    if (own !== undefined) return own.id;
    return (
      orm.select({ id: findingAliases.findingId }).from(findingAliases).where(eq(findingAliases.id, id)).get()?.id ??
      null
    );
  };
  const partial = (part: string): readonly FindingId[] => {
    const found = new Set<FindingId>();
    const begins = and(gte(findings.id, part), lt(findings.id, `${part}~`));
    for (const { id } of orm.select({ id: findings.id }).from(findings).where(begins).limit(NAMED).all()) found.add(id);
    const ends = like(findings.id, `%${part}`);
    for (const { id } of orm.select({ id: findings.id }).from(findings).where(ends).limit(NAMED).all()) found.add(id);
    const merged = like(findingAliases.id, `%${part}`);
    for (const { id } of orm
      .select({ id: findingAliases.findingId })
      .from(findingAliases)
      .where(merged)
      .limit(NAMED)
      .all())
      found.add(id);
    return [...found];
  };
  return {
    resolve: (typed) => {
      const whole = exact(typed);
      if (whole !== null) return whole;
      const part = canonicalId(typed);
      const fits = /^[0-9a-z]+$/.test(part) && part.length >= SHORTEST_ID_PART && part.length <= ID_LENGTH;
      const found = fits ? partial(part) : [];
      const [only] = found;
      if (only === undefined)
        throw new PatroldError('finding_not_found', `no finding has the id ${JSON.stringify(typed.slice(0, 64))}`);
      if (found.length === 1) return only;
      throw new PatroldError(
        'finding_id_ambiguous',
        `${part} may be ${found.slice(0, NAMED).map(shortId).join(', ')}`,
        {
          details: { part, candidates: found.slice(0, NAMED).join(' ') },
        },
      );
    },
    family: (id) => [
      id,
      ...orm
        .select({ id: findingAliases.id })
        .from(findingAliases)
        .where(eq(findingAliases.findingId, id))
        .limit(MAX_MERGED)
        .all()
        .map((row) => row.id),
    ],
  };
};

/** Findings that one can have swallowed; each is a merge of two resources. */
const MAX_MERGED = 200;
