import { expect, test } from 'vitest';
import { detectors } from '../../../signals/detectors/index.ts';
import { patrolReportFinding } from '../../../src/tools/patrol-report-finding.ts';
import { openToolScene, scenarioNames, type ToolScene } from '../../support/tool-scene.ts';

/** Every fourth: all kinds of sources and of trouble are among them. */
const some = scenarioNames.filter((_, index) => index % 4 === 0);

const WORDINGS: readonly object[] = [
  { key: 'trouble', title: 'Something looks wrong here' },
  ...detectors.flatMap(({ type, title }) => [
    { key: `my-${type.replaceAll('_', '-')}`, title },
    { key: 'stated', title: 'Look at this', about: type },
    { key: type, title: 'Look at that' },
  ]),
];

const MAX_CITED = 32;

/** Each wording, on all the readings of a resource and on the first alone. */
const claimEverything = async ({ context, call }: ToolScene): Promise<void> => {
  for (const { id } of context.resources.all) {
    const readings = context.ledger.world.readingsOf(id).map((reading) => reading.id);
    if (readings.length === 0) continue;
    for (const evidence of [readings.slice(0, MAX_CITED), readings.slice(0, 1)]) {
      for (const wording of WORDINGS) {
        const more = { severity: 'warning', category: 'general', summary: 'It is about to break.', ...wording };
        await call(patrolReportFinding, { resource: id, evidence, ...more });
      }
    }
  }
};

const activeIn = ({ stores }: ToolScene): readonly string[] =>
  stores.findings
    .active()
    .map(({ resourceId, key, severity }) => `${severity} ${resourceId} ${key}`)
    .toSorted();

test.each(some)(
  'whoever claims everything about %s adds nothing to what the data shows, and doubles none of it',
  async (name) => {
    const scene = await openToolScene(name);
    await claimEverything(scene);
    const raised = scene.context.resources.all.flatMap((resource) =>
      scene.context.verdicts
        .on(resource)
        .verdicts.flatMap((verdict) => (verdict.state === 'raised' ? [`${resource.id} ${verdict.signal.key}`] : [])),
    );
    const filed = scene.stores.findings.active().filter(({ filedBy }) => filedBy === 'model');
    for (const { resourceId, key } of filed) expect(raised).toContain(`${resourceId} ${key}`);
    const quiet = await openToolScene(name);
    await scene.patrol();
    await quiet.patrol();
    expect(activeIn(scene)).toEqual(activeIn(quiet));
  },
);
