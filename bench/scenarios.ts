/** `npm run scenarios`: plays the corpus, and says what was found, missed and doubled. `-- --json` prints one document. */
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { packageRoot } from '../src/runtime/package-root.ts';
import { loadScenarios } from '../src/scenarios/load-scenarios.ts';
import { playScenario } from '../src/scenarios/play.ts';
import { type Score, scoreOf } from '../src/scenarios/score.ts';
import { thisMachine } from './machine.ts';

const { values } = parseArgs({ options: { json: { type: 'boolean', default: false }, only: { type: 'string' } } });
const corpus = join(packageRoot(), 'scenarios');
const { only } = values;
const scenarios = loadScenarios(corpus).filter(({ name }) => only === undefined || name.includes(only));
const scores: Score[] = [];
for (const loaded of scenarios) scores.push(scoreOf(loaded, await playScenario(corpus, loaded, { moving: true })));

const sum = (pick: (score: Score) => number): number => scores.reduce((total, score) => total + pick(score), 0);
const detectorsSeen = new Map<string, { scenarios: number; planted: number; found: number }>();
for (const { detectors } of scores) {
  for (const { detector, planted, found } of detectors) {
    const known = detectorsSeen.get(detector) ?? { scenarios: 0, planted: 0, found: 0 };
    detectorsSeen.set(detector, {
      scenarios: known.scenarios + 1,
      planted: known.planted + planted,
      found: known.found + found,
    });
  }
}
const byDetector = [...detectorsSeen]
  .toSorted(([a], [b]) => (a < b ? -1 : 1))
  .map(([detector, counts]) => ({ detector, ...counts }));
const totals = {
  scenarios: scores.length,
  planted: sum(({ planted }) => planted),
  found: sum(({ found }) => found),
  false: sum((score) => score.false),
  duplicated: sum(({ duplicated }) => duplicated),
  wrong: sum(({ complaints }) => complaints.length),
};
if (values.json)
  process.stdout.write(
    `${JSON.stringify({ machine: thisMachine(), ...totals, byScenario: scores, byDetector }, null, 2)}\n`,
  );
else {
  for (const { name, planted, found, false: extra, duplicated, complaints } of scores) {
    const good = found === planted && extra === 0 && duplicated === 0 && complaints.length === 0;
    process.stdout.write(
      `${good ? 'ok  ' : 'BAD '} ${name.padEnd(44)} ${found}/${planted} found, ${extra} false, ${duplicated} doubled\n`,
    );
    for (const complaint of complaints) process.stdout.write(`       ${complaint.replaceAll('\n', '\n       ')}\n`);
  }
  process.stdout.write('\n');
  for (const { detector, scenarios: count, planted, found } of byDetector)
    process.stdout.write(`${detector.padEnd(28)} ${String(count).padStart(3)} scenarios, ${found}/${planted} found\n`);
  process.stdout.write(
    `\n${totals.scenarios} scenarios: ${totals.planted} planted, ${totals.found} found, ${totals.false} false, ${totals.duplicated} doubled\n`,
  );
}
process.exitCode =
  totals.found === totals.planted && totals.false === 0 && totals.duplicated === 0 && totals.wrong === 0 ? 0 : 1;
