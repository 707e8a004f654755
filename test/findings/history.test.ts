import { expect, test } from 'vitest';
import { sql } from '../../src/runtime/drizzle.ts';
import { NOW_MS, openStore, runAt, signalOf } from '../support/findings.ts';

const refusalOf = (run: () => unknown): string => {
  try {
    run();
  } catch (error) {
    return error instanceof Error ? `${error.message} ${String(error.cause)}` : String(error);
  }
  return 'allowed';
};

test.each([
  sql`update finding_history set reason = 'never happened'`,
  sql`update finding_history set at_ms = 0 where seq = 1`,
  sql`delete from finding_history`,
  sql`delete from finding_history where seq = 1`,
  sql`update or replace finding_history set seq = seq + 1`,
  sql`update operator_state_history set actor_name = 'bob'`,
  sql`delete from operator_state_history`,
])('the database itself refuses to change what happened (%#)', (statement) => {
  const { store, db } = openStore();
  const { findingId, finding } = store.file(signalOf(), runAt(NOW_MS));
  store.operatorStates.declare(finding.resourceId, { muted: true }, { name: 'ann', reason: null }, { nowMs: NOW_MS });
  expect(refusalOf(() => db.orm.run(statement))).toContain('append-only');
  expect(store.details(findingId).history).toHaveLength(1);
  expect(store.operatorStates.history(finding.resourceId)).toHaveLength(1);
});

test('a row can not be replaced under its number either', () => {
  const { store, db } = openStore();
  const { findingId } = store.file(signalOf(), runAt(NOW_MS));
  const replace = sql`insert or replace into finding_history (seq, finding_id, episode, at_ms, kind, actor_kind) values (1, 'x', 1, 0, 'noted', 'patrold')`;
  expect(refusalOf(() => db.orm.run(replace))).toContain('append-only');
  expect(store.details(findingId).history).toMatchObject([{ kind: 'opened' }]);
});

test('announced within the transaction, what is older than announced may go, of that finding alone', () => {
  const { store, db } = openStore();
  const { findingId } = store.file(signalOf(), runAt(NOW_MS));
  const other = store.file(signalOf({ subject: 'b' }), runAt(NOW_MS)).findingId;
  const announce = (beforeMs: number) =>
    sql`insert or replace into history_pruning (finding_id, before_ms) values (${findingId}, ${beforeMs})`;
  db.orm.run(announce(NOW_MS));
  expect(refusalOf(() => db.orm.run(sql`delete from finding_history where finding_id = ${findingId}`))).toContain(
    'append-only',
  );
  db.orm.run(announce(NOW_MS + 1));
  expect(refusalOf(() => db.orm.run(sql`delete from finding_history where finding_id = ${other}`))).toContain(
    'append-only',
  );
  expect(refusalOf(() => db.orm.run(sql`delete from finding_history where finding_id = ${findingId}`))).toBe('allowed');
});
