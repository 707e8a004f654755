/** What holds for the database after any sequence of events and verbs, repeated requests among them. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { VerbEvent } from '../../../findings/event.ts';
import type { FindingStore } from '../../../findings/store.ts';
import type { Database } from '../../../src/runtime/database.ts';
import { sql } from '../../../src/runtime/drizzle.ts';
import { PatroldError } from '../../../src/runtime/errors.ts';
import { type Happening, happenings } from '../../support/finding-events.ts';
import { NOW_MS, openStore, runAt, signalOf } from '../../support/findings.ts';

const VERBS = ['acknowledge', 'unacknowledge', 'snooze', 'unsnooze', 'dismiss', 'undismiss', 'resolve', 'note'];
const isVerb = (event: Happening['event']): event is VerbEvent => VERBS.includes(event.kind);

interface Happened extends Happening {
  readonly to: number;
}

const refusedOr = (run: () => unknown): unknown => {
  try {
    return run();
  } catch (error) {
    if (error instanceof PatroldError) return error.code;
    throw error;
  }
};

/** Each request `times` times, as a client does that does not hear back. */
const play = (store: FindingStore, ids: readonly string[], story: readonly Happened[], times: number): void => {
  for (const [index, { event, nowMs, to }] of story.entries()) {
    const findingId = ids[to % ids.length] ?? '';
    for (let time = 0; time < times; time += 1) {
      if (isVerb(event)) refusedOr(() => store.act(findingId, event, { nowMs, requestId: `r${index}` }));
      else if (time === 0) store.apply([{ findingId, event }], runAt(nowMs));
    }
  }
};

const dump = (db: Database): unknown =>
  ['findings', 'finding_history', 'episodes', 'evidence', 'finding_counts', 'finding_requests'].map((table) =>
    db.orm.all(sql`select * from ${sql.identifier(table)} order by 1, 2, 3`),
  );

const broken = (db: Database): readonly unknown[] =>
  [
    sql`select id from findings where state = 'active' and (select count(*) from episodes where finding_id = id and ended_at_ms is null) <> 1`,
    sql`select id from findings where state = 'resolved' and exists (select 1 from episodes where finding_id = id and ended_at_ms is null)`,
    sql`select id from findings where episode <> (select max(number) from episodes where finding_id = id)`,
    sql`select id from findings where severity_rank > (select worst_rank from episodes where finding_id = id and number = episode)`,
    sql`select id from findings where regressions <> (select count(*) from finding_history where finding_id = id and kind = 'regressed')`,
    sql`select 1 from finding_counts c where count <> (select count(*) from findings f where f.state = c.state and f.severity_rank = c.severity_rank and f.disposition = c.disposition and f.category = c.category)`,
    sql`select id from findings where (disposition = 'none') <> (disposition_data is null)`,
    sql`select id from findings where (state = 'resolved') <> (resolution is not null)`,
  ].flatMap((query) => db.orm.all(query));

const story = happenings(NOW_MS, 25).chain((happened) =>
  fc.tuple(...happened.map((one) => fc.nat(1).map((to): Happened => ({ ...one, to })))),
);

const filed = (store: FindingStore): readonly string[] =>
  store.fileBatch([signalOf(), signalOf({ subject: 'b' })], runAt(NOW_MS)).map(({ findingId }) => findingId);

test('requests that are repeated leave the database as if they had been made once, and it is sound after each story', {
  timeout: 60_000,
}, () => {
  fc.assert(
    fc.property(story, (told) => {
      const [once, twice] = [1, 3].map((times) => {
        const { store, db } = openStore();
        // Ids are random: the stories are told about findings with the same ones.
        const ids = filed(store);
        const rename = (text: string): string => ids.reduce((out, id, index) => out.replaceAll(id, `id${index}`), text);
        play(store, ids, told, times);
        expect(broken(db)).toEqual([]);
        const state = rename(JSON.stringify(dump(db)));
        db.close();
        return state;
      });
      expect(twice).toEqual(once);
    }),
    { numRuns: 40 },
  );
});

test('history only ever grows at its end', { timeout: 60_000 }, () => {
  fc.assert(
    fc.property(story, (told) => {
      const { store, db } = openStore();
      const ids = filed(store);
      let before = store.historySince(0, 1000);
      for (const one of told) {
        play(store, ids, [one], 1);
        const after = store.historySince(0, 1000);
        expect(after.slice(0, before.length)).toEqual(before);
        before = after;
      }
      db.close();
    }),
    { numRuns: 20 },
  );
});
