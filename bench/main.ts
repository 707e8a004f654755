/**
 * `npm run bench`: the figures that patrold promises, measured here and now. `-- --json` prints one document; `--quick`
 * idles for one minute instead of ten. `npm run build` first: the daemon is measured as the service runs it.
 */
import { parseArgs } from 'node:util';
import { measureDaemon } from './daemon.ts';
import { measureFiling } from './filing.ts';
import { measureLargeRun } from './large-run.ts';
import { thisMachine } from './machine.ts';
import { measurePages } from './page.ts';
import { measureVerdicts } from './verdicts.ts';

const { values } = parseArgs({
  options: { json: { type: 'boolean', default: false }, quick: { type: 'boolean', default: false } },
});
const IDLE_MINUTES = values.quick ? 1 : 10;

/** What a figure must reach; null: it stands beside another one. */
const GOALS: Readonly<Record<string, readonly ['at least' | 'under', number] | null>> = {
  verdictsPerSecond: ['at least', 500_000],
  run10000Seconds: ['under', 2],
  run10000PeakMb: ['under', 300],
  filedToRaw: ['at least', 0.5],
  filedToRawBatched: ['at least', 0.5],
  page50Ms: ['under', 10],
  startToReadyMs: ['under', 1_000],
  idleMb: ['under', 120],
};

const say = (text: string): void => {
  process.stderr.write(`${text}\n`);
};

say('verdicts …');
const verdicts = measureVerdicts();
say('a run over 10,000 resources …');
const large = await measureLargeRun();
say('filing …');
const filing = measureFiling();
say('pages …');
const pages = await measurePages();
say(`the daemon, and ${IDLE_MINUTES} minutes of watches …`);
const daemon = await measureDaemon(IDLE_MINUTES);

const figures: Readonly<Record<string, number>> = { ...verdicts, ...large, ...filing, ...pages, ...daemon };
const machine = thisMachine();
if (values.json) process.stdout.write(`${JSON.stringify({ machine, ...figures }, null, 2)}\n`);
else {
  process.stdout.write(
    `${machine.cores} cores (${machine.cpu}), ${(machine.memoryBytes / 2 ** 30).toFixed(1)} GiB, Node ${machine.node}\n\n`,
  );
  for (const [name, value] of Object.entries(figures)) {
    const goal = GOALS[name] ?? null;
    const met = goal === null ? '' : (goal[0] === 'under' ? value < goal[1] : value >= goal[1]) ? 'met' : 'NOT MET';
    const shown = Math.abs(value) >= 1000 ? Math.round(value).toLocaleString('en') : value.toPrecision(3);
    process.stdout.write(
      `${name.padEnd(24)}${shown.padStart(12)}   ${goal === null ? '' : `${goal[0]} ${goal[1].toLocaleString('en')}: ${met}`}\n`,
    );
  }
}
