import { expect, test } from 'vitest';
import { lookingTools } from '../../src/tools/index.ts';
import { readAnswer } from '../support/shown-rows.ts';
import { openToolScene, scenarioNames } from '../support/tool-scene.ts';

const LISTS: readonly (readonly [string, object])[] = [
  ['find_resources', {}],
  ['list_storage', {}],
  ['list_disks', {}],
  ['list_backups', {}],
  ['list_workloads', { what: 'services' }],
  ['list_workloads', { what: 'containers' }],
  ['list_workloads', { what: 'checks' }],
  ['list_workloads', { what: 'machines' }],
  ['read_metrics', {}],
];

/** Every third: all kinds of sources and of trouble are among them. */
const some = scenarioNames.filter((_, index) => index % 3 === 0);

test.each(some)('every id that the tools show of %s leads back to what it was shown for', async (name) => {
  const scene = await openToolScene(name);
  const { context } = scene;
  for (const [tool, asked] of LISTS) {
    const found = lookingTools.find((each) => each.name === tool);
    if (found === undefined) throw new Error(`there is no tool ${tool}`);
    const seen: unknown[] = [];
    let cursor: string | null = null;
    do {
      const more = { ...asked, ...(cursor === null ? {} : { cursor }) };
      const outcome = await scene.call(found, more, { resultLength: 1_500 });
      if (outcome.kind === 'error') throw new Error(outcome.error.code);
      const answer = readAnswer(outcome.text);
      for (const [id, evidence] of answer.rows) {
        expect(context.resources.find(String(id))).toMatchObject({ kind: 'one' });
        seen.push(`${id} ${evidence}`);
        if (answer.columns[1] !== 'evidence' || evidence === null) continue;
        expect(context.evidence.get(String(evidence))).toMatchObject({ resourceId: id });
        expect(outcome.evidence).toContain(evidence);
      }
      cursor = answer.cursor;
    } while (cursor !== null);
    const cited = seen.filter((one) => !String(one).endsWith(' null'));
    expect(new Set(cited).size).toBe(cited.length);
    if (tool === 'find_resources') expect(seen).toHaveLength(context.resources.all.length);
  }
});
