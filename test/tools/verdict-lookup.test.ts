import { expect, test } from 'vitest';
import { detectorsStage } from '../../src/patrol/stages/detectors.ts';
import { openToolScene, scenarioNames } from '../support/tool-scene.ts';

const some = scenarioNames.filter((_, index) => index % 7 === 0);

test.each(some)('claims about %s are checked by the very verdicts that the detectors give after them', async (name) => {
  const { context, stores, settings } = await openToolScene(name);
  const { ledger, nowMs, verdicts, resources } = context;
  const before = ledger.world.resources.flatMap((resource) => verdicts.on(resource).verdicts);
  const { evaluation } = detectorsStage(stores, { settings, ledger, scope: null, nowMs });
  expect(before).toEqual(evaluation.verdicts);
  const [first] = resources.all;
  if (first !== undefined) expect(verdicts.on(first)).toBe(verdicts.on(first));
});
