import { expect, test } from 'vitest';
import { model } from '../../findings/history-entry.ts';
import { asResourceId } from '../../signals/resource.ts';
import { patrolGetFindings } from '../../src/tools/patrol-get-findings.ts';
import { readAnswer } from '../support/shown-rows.ts';
import { openToolScene, type ToolScene } from '../support/tool-scene.ts';

const fileMany = ({ stores, context }: ToolScene, from: number, until: number): void => {
  for (let index = from; index < until; index += 1) {
    const name = `leak-in-pipe-${index}x`;
    const report = {
      resourceId: asResourceId('nas1'),
      key: name,
      severity: index % 3 === 0 ? ('critical' as const) : ('warning' as const),
      category: 'general' as const,
      title: name,
      summary: 'something that was seen',
      evidence: [],
      sourceIds: ['nas'],
    };
    stores.findings.report(report, model('m'), { nowMs: context.nowMs + index, runId: null, readingOf: () => null });
  }
};

test('findings are listed worst first, with who rules them and what was decided', async () => {
  const { text } = await openToolScene('compound-bad-day');
  const { rows, summary } = readAnswer(await text(patrolGetFindings, {}));
  expect(summary).toBe('3 findings.');
  expect(rows[0]?.[1]).toMatchObject({ severity: 'critical', ruledBy: expect.any(String) });
  const one = readAnswer(await text(patrolGetFindings, { finding: String(rows[0]?.[0]) }));
  expect(one.rows[0]?.[1]).toMatchObject({ severity: 'critical', filedBy: 'signal' });
  expect(one.rows.map(([what]) => what)).toEqual(expect.arrayContaining(['summary', 'evidence', 'history']));
});

test('pages show every finding exactly once, though others are filed in between', async () => {
  const scene = await openToolScene('host-is-well');
  fileMany(scene, 0, 120);
  const there = new Set(scene.stores.findings.active().map(({ id }) => id));
  const seen: string[] = [];
  let cursor: string | null = null;
  let pages = 0;
  do {
    const more: object = cursor === null ? {} : { cursor };
    const answer = readAnswer(await scene.text(patrolGetFindings, more, { resultLength: 3_000 }));
    seen.push(...answer.rows.map(([id]) => scene.stores.findings.find(String(id)).id));
    cursor = answer.cursor;
    pages += 1;
    if (pages === 2) fileMany(scene, 200, 220);
  } while (cursor !== null);
  const old = seen.filter((id) => there.has(id));
  expect(new Set(old)).toEqual(there);
  expect(new Set(seen).size).toBe(seen.length);
});

test('what is not there, and a cursor of something else, are refused', async () => {
  const { code } = await openToolScene('host-is-well');
  expect(await code(patrolGetFindings, { finding: 'nothing-like-it' })).toBe('finding_not_found');
  expect(await code(patrolGetFindings, { cursor: '20-abcdef' })).toBe('invalid_cursor');
  expect(await code(patrolGetFindings, { resource: 'nas7' })).toBe('resource_not_found');
});
