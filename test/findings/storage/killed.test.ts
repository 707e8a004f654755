/** `kill -9` in the middle of filing and deciding: nothing that was acknowledged is lost, nothing is doubled. */
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import BetterSqlite3 from 'better-sqlite3';
import { expect, test } from 'vitest';
import { openDatabase } from '../../../src/runtime/database.ts';
import { temporaryDirectory } from '../../support/temporary-directory.ts';

const KILLS = 15;
const CHILD = join(import.meta.dirname, '../../support/file-until-killed.ts');

/** What was acknowledged before it was killed, some lines after its first one. */
const runUntilKilled = (path: string, first: number, linesLeft: number): Promise<readonly string[]> =>
  new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [CHILD, path, String(first)], { stdio: ['ignore', 'pipe', 'inherit'] });
    let text = '';
    child.stdout.setEncoding('utf8');
    child.stdout.on('data', (chunk: string) => {
      text += chunk;
      if (text.split('\n').length > linesLeft) child.kill('SIGKILL');
    });
    child.on('error', reject);
    // A line that was cut off was not read by anybody: only whole ones count.
    child.on('close', (_code, signal) =>
      signal === 'SIGKILL' ? resolve(text.split('\n').slice(0, -1)) : reject(new Error('it ended by itself')),
    );
  });

test(`killed ${KILLS} times, it has everything once`, { timeout: 120_000 }, async () => {
  const path = join(temporaryDirectory(), 'patrold.db');
  openDatabase({ path }).close();
  const acknowledged: string[] = [];
  let next = 0;
  for (let kill = 0; kill < KILLS; kill += 1) {
    // From the very first statement to well within a batch.
    const lines = await runUntilKilled(path, next, 1 + ((kill * 7) % 23));
    acknowledged.push(...lines);
    next = Math.max(next, ...lines.map((line) => Number(line.split(' ')[1])));
  }
  const db = new BetterSqlite3(path, { readonly: true });
  const column = (query: string, ...values: readonly unknown[]): readonly unknown[] =>
    db
      .prepare(query)
      .pluck()
      .all(...values);
  const once = (query: string, ...values: readonly unknown[]) =>
    expect([query, values, column(query, ...values)]).toEqual([query, values, [1]]);
  for (const line of new Set(acknowledged)) {
    const [what = '', index = '', id] = line.split(' ');
    if (what === 'filed') once('select count(*) from findings where key = ? and id = ?', `high_disk:s${index}`, id);
    if (what === 'noted')
      once("select count(*) from finding_history where kind = 'noted' and reason = ?", `note ${index}`);
    if (what === 'acknowledged')
      once("select count(*) from finding_history where kind = 'acknowledged' and reason = ?", `seen ${index}`);
    if (what === 'batched')
      expect(column('select count(*) from findings where key like ?', `high_disk:b${index}-%`)).toEqual([30]);
  }
  expect(acknowledged.length).toBeGreaterThan(KILLS * 3);
  // What was not acknowledged is there whole or not at all, and never twice.
  expect(
    column('select reason from finding_history where kind = ? group by reason having count(*) > 1', 'noted'),
  ).toEqual([]);
  expect(
    column('select id from findings where id not in (select finding_id from episodes where ended_at_ms is null)'),
  ).toEqual([]);
  expect(
    column(
      "select id from findings where (select count(*) from finding_history where finding_id = findings.id and kind = 'opened') <> 1",
    ),
  ).toEqual([]);
  expect(
    column('select id from findings where not exists (select 1 from evidence where finding_id = findings.id)'),
  ).toEqual([]);
  expect(column('select (select count(*) from findings) = (select sum(count) from finding_counts)')).toEqual([1]);
  expect(column('pragma integrity_check')).toEqual(['ok']);
  db.close();
});
