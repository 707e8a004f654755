/** A filter as SQL conditions. */
import { severityRank } from '../../signals/detector.ts';
import { and, eq, inArray, or, type SQL, sql } from '../../src/runtime/drizzle.ts';
import type { FindingState } from '../finding.ts';
import { keyType, storedKey } from '../identity.ts';
import type { FindingFilter } from '../page.ts';
import { findings } from '../schema.ts';

/** Everything but state and severity, by which the lists are strung. */
export const conditionsOf = ({
  resourceId,
  sourceId,
  category,
  key,
  disposition,
  text,
}: FindingFilter): readonly SQL[] => {
  const conditions: (SQL | undefined)[] = [];
  if (resourceId !== undefined) conditions.push(eq(findings.resourceId, resourceId));
  if (sourceId !== undefined) conditions.push(contains(findings.sourceIds, JSON.stringify(sourceId)));
  if (category !== undefined) conditions.push(eq(findings.category, category));
  if (key !== undefined) conditions.push(keyIs(storedKey(key)));
  if (disposition !== undefined) conditions.push(eq(findings.disposition, disposition));
  if (text !== undefined && text !== '') {
    conditions.push(
      or(
        ...[findings.title, findings.summary, findings.resourceId, findings.key].map((column) =>
          contains(column, text),
        ),
      ),
    );
  }
  return conditions.filter((condition) => condition !== undefined);
};

/** A type stands for all its subjects. */
const keyIs = (key: string): SQL | undefined => {
  const isType = eq(findings.keyType, keyType(key));
  return key.includes(':') ? and(isType, eq(findings.key, key)) : isType;
};

const contains = (
  column:
    | typeof findings.title
    | typeof findings.summary
    | typeof findings.sourceIds
    | typeof findings.resourceId
    | typeof findings.key,
  text: string,
): SQL => sql`${column} like ${`%${text.replace(/[\\%_]/g, '\\$&')}%`} escape '\\'`;

/**
 * `by: 'row'` keeps SQLite, by a plus, from an index that begins with the state: the long way round where another
 * condition leads to a few findings, another order is wanted, or every row has to be looked at anyway.
 */
export const stateIs = (state: SQL | FindingState, by: 'index' | 'row'): SQL =>
  by === 'index' ? sql`${findings.state} = ${state}` : sql`+${findings.state} = ${state}`;

export const severityIn = ({ severities }: FindingFilter): SQL | undefined =>
  severities === undefined ? undefined : inArray(findings.severityRank, severities.map(severityRank));

/** Whether the maintained counts can answer for it. */
export const isCounted = ({ resourceId, sourceId, key, text }: FindingFilter): boolean =>
  resourceId === undefined && sourceId === undefined && key === undefined && (text === undefined || text === '');
