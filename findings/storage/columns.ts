/** What the hot statements need of a table: its columns by their names in code, as results and as parameters. */
import { getTableColumns, type SQL, sql } from '../../src/runtime/drizzle.ts';

type Table = Parameters<typeof getTableColumns>[0];
type Columns<T extends Table> = keyof T['_']['columns'] & string;

/** Selection whose rows come back under the names that code uses, though they run on the bare driver. */
export const aliased = <T extends Table>(table: T): Record<Columns<T>, SQL.Aliased> =>
  Object.fromEntries(
    Object.entries(getTableColumns(table)).map(([name, column]) => [name, sql`${column}`.as(name)]),
  ) as Record<Columns<T>, SQL.Aliased>;

export const named = (name: string): SQL => sql`${sql.placeholder(name)}`;

/** Every column as a parameter of its own name. */
export const parameters = <T extends Table>(table: T): Record<Columns<T>, SQL> =>
  Object.fromEntries(Object.keys(getTableColumns(table)).map((name) => [name, named(name)])) as Record<Columns<T>, SQL>;
