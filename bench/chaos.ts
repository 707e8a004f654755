/**
 * `npm run chaos -- --kills N`: ends patrold with SIGKILL at random moments of runs and of operator verbs, and counts what
 * was lost or doubled of what it had acknowledged. `--seed` repeats the moments, `--json` prints one document.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { packageRoot } from '../src/runtime/package-root.ts';
import { holdAgainst, type Promised, runStates, someActive, whyFailed } from './chaos-ledger.ts';
import { startFaultyEngine } from './faulty-engine.ts';
import { thisMachine } from './machine.ts';

const CONTAINERS = 200;
/** Of ten kills, how many hit a run; the others hit verbs. */
const RUNS_OF_TEN = 6;

const { values } = parseArgs({
  options: {
    kills: { type: 'string', default: '200' },
    seed: { type: 'string', default: String(Date.now() % 1e9) },
    json: { type: 'boolean', default: false },
  },
});
const kills = Number(values.kills);
if (!Number.isSafeInteger(kills) || kills < 1) throw new Error('--kills takes a whole number from 1');

/** mulberry32: small, and the same everywhere for a seed. */
const createRandom = (seed: number): (() => number) => {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
};
const random = createRandom(Number(values.seed));

const directory = mkdtempSync(join(tmpdir(), 'patrold-chaos-'));
const data = join(directory, 'data');
const database = join(data, 'patrold.db');
const config = join(directory, 'patrold.yaml');
const engine = await startFaultyEngine(join(directory, 'engine.sock'), CONTAINERS);
writeFileSync(config, `sources: [{ id: docker, type: docker, socket: ${engine.socket} }]\n`, { mode: 0o600 });

interface Ended {
  readonly code: number | null;
  readonly stderr: string;
  readonly ms: number;
}

/** `killAfterMs: null`: it may end by itself. */
const patrold = async (args: readonly string[], killAfterMs: number | null): Promise<Ended> => {
  const begun = performance.now();
  const child: ChildProcess = spawn(
    process.execPath,
    [join(packageRoot(), 'src', 'main.ts'), ...args, '--config', config, '--data', data, '--log-level', 'info'],
    { stdio: ['ignore', 'ignore', 'pipe'] },
  );
  let stderr = '';
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    stderr += text;
  });
  const ended = new Promise<number | null>((resolve) => child.once('close', (code) => resolve(code)));
  if (killAfterMs !== null) {
    await Promise.race([sleep(killAfterMs), ended]);
    child.kill('SIGKILL');
  }
  const code = await ended;
  return { code, stderr, ms: performance.now() - begun };
};

/** Half of the moments lie anywhere, half around the end, where things are written. */
const moment = (typicalMs: number): number => typicalMs * (random() < 0.5 ? random() : 0.7 + 0.4 * random());

const promised = { changes: [] as Promised['changes'][number][], verbs: [] as Promised['verbs'][number][] };

/** Whole lines of the log that say what was filed. */
const noteChanges = (stderr: string): void => {
  for (const line of stderr.split('\n').slice(0, -1)) {
    if (!line.includes('"finding changed"')) continue;
    const { run, findingId, change } = JSON.parse(line) as {
      readonly run: string;
      readonly findingId: string;
      readonly change: string;
    };
    promised.changes.push({ runId: run, findingId, change });
  }
};

const shuffleFaults = (): void => {
  const salt = Math.floor(random() * 1e6);
  engine.setFaulty((index) => (index * 7919 + salt) % 5 < 2);
};

const killRun = async (typicalMs: number): Promise<boolean> => {
  shuffleFaults();
  const { code, stderr } = await patrold(['run', '--quiet'], moment(typicalMs));
  noteChanges(stderr);
  return code === null;
};

const VERBS: readonly { readonly words: readonly string[]; readonly leavesRow: boolean }[] = [
  { words: ['note', '--note', 'looked at it'], leavesRow: true },
  { words: ['acknowledge'], leavesRow: false },
  { words: ['snooze', '--for', '2h'], leavesRow: false },
  { words: ['dismiss', '--reason', 'expected_behavior'], leavesRow: false },
  { words: ['undismiss'], leavesRow: false },
];

/** As a client would: the same request until it is answered. */
const killVerb = async (typicalMs: number, requestId: string): Promise<boolean> => {
  const active = someActive(database);
  const finding = active[Math.floor(random() * active.length)];
  const verb = VERBS[Math.floor(random() * VERBS.length)];
  if (finding === undefined || verb === undefined) return false;
  const [name = '', ...options] = verb.words;
  const args = ['findings', name, finding, ...options, '--request-id', requestId];
  const first = await patrold(args, moment(typicalMs));
  const last = first.code === null ? await patrold(args, null) : first;
  // What the state of the finding forbids is refused, and promises nothing.
  if (last.code === 0) promised.verbs.push({ requestId, leavesRow: verb.leavesRow });
  return first.code === null;
};

shuffleFaults();
const typicalRun = await patrold(['run', '--quiet'], null);
noteChanges(typicalRun.stderr);
if (typicalRun.code !== 0) throw new Error(`the first run failed: ${typicalRun.stderr}`);
const typicalVerb = await patrold(['findings'], null);
let done = 0;
for (let attempt = 0; done < kills; attempt += 1) {
  const hit =
    attempt % 10 < RUNS_OF_TEN ? await killRun(typicalRun.ms) : await killVerb(typicalVerb.ms, `chaos-${attempt}`);
  if (hit) done += 1;
  if (!values.json && hit && done % 20 === 0) process.stderr.write(`${done} kills\n`);
}
const interrupted = await patrold(['run', '--quiet'], null);
noteChanges(interrupted.stderr);
const verdict = holdAgainst(database, promised);
const states = runStates(database);
const leftRunning = states['running'] ?? 0;
const failed = whyFailed(database);
await engine.close();
rmSync(directory, { recursive: true, force: true });

const document = {
  machine: thisMachine(),
  kills: done,
  lost: verdict.lost.length,
  doubled: verdict.doubled.length,
  broken: verdict.broken.length + leftRunning + failed.length,
  seed: Number(values.seed),
  promisedChanges: promised.changes.length,
  promisedVerbs: promised.verbs.length,
  runs: states,
};
if (values.json) process.stdout.write(`${JSON.stringify(document, null, 2)}\n`);
else {
  process.stdout.write(
    `${done} kills (seed ${values.seed}): of ${promised.changes.length} changes logged as filed and ${promised.verbs.length} verbs answered, ${document.lost} lost, ${document.doubled} doubled, ${document.broken} broken; runs ${JSON.stringify(states)}\n`,
  );
}
for (const line of [...verdict.lost, ...verdict.doubled, ...verdict.broken, ...failed].slice(0, 20))
  process.stderr.write(`${line}\n`);
process.exitCode = document.lost + document.doubled + document.broken === 0 && interrupted.code === 0 ? 0 : 1;
