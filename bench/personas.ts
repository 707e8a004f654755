/** `npm run personas`: plays every persona over the corpus. `-- --only x` takes some scenarios, `--json` prints one document. */
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { modelConfigSchema } from '../src/config/model.ts';
import { createModelOpener } from '../src/model/model-opener.ts';
import { modelSettings } from '../src/model/model-settings.ts';
import { createSpendingInMemory } from '../src/model/spending-in-memory.ts';
import { packageRoot } from '../src/runtime/package-root.ts';
import { loadScenarios } from '../src/scenarios/load-scenarios.ts';
import { playScenario, type ScenarioModel } from '../src/scenarios/play.ts';
import { type Score, scoreOf } from '../src/scenarios/score.ts';
import { startChatServer } from '../test/support/chat-server.ts';
import { type Persona, personas } from './chat-personas.ts';
import { thisMachine } from './machine.ts';

const { values } = parseArgs({ options: { json: { type: 'boolean', default: false }, only: { type: 'string' } } });
const corpus = join(packageRoot(), 'scenarios');
const scenarios = loadScenarios(corpus).filter(({ name }) => values.only === undefined || name.includes(values.only));

/** Retries wait, and timeouts run, by a clock that passes at once: a provider that is down costs no time here. */
const hastyClock = {
  nowMs: () => Date.now(),
  monotonicMs: () => performance.now(),
  sleep: async (ms: number, signal: AbortSignal): Promise<void> => {
    signal.throwIfAborted();
    // What a request may take is long beside an answer of this machine, a pause between two tries is not.
    if (ms >= 60_000)
      await new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason), { once: true }));
  },
};

interface Figures {
  readonly name: string;
  readonly planted: number;
  readonly found: number;
  readonly false: number;
  readonly doubled: number;
  readonly refused: number;
  readonly turns: number;
  readonly tokens: number;
  readonly complaints: readonly string[];
}

const play = async ({ name, script }: Persona): Promise<Figures> => {
  const server = await startChatServer(script);
  const config = { provider: 'openai-compatible', baseUrl: server.baseUrl, name: 'scripted', contextTokens: 64_000 };
  const budget = { tokensPerRun: 10_000_000, tokensPerDay: 1_000_000_000 };
  const settings = modelSettings(modelConfigSchema.parse({ ...config, budget }));
  if (settings === null) throw new TypeError('no model');
  const spending = createSpendingInMemory();
  const scores: Score[] = [];
  for (const loaded of scenarios) {
    // Each scenario is a daemon of its own: circuits do not carry over.
    const opener = createModelOpener({ clock: hastyClock, random: () => 0, spending, aliasKey: () => '0'.repeat(64) });
    const model: ScenarioModel = { settings, open: async (wanted, names) => opener.open(wanted, names) };
    scores.push(scoreOf(loaded, await playScenario(corpus, loaded, { moving: false, model })));
  }
  await server.close();
  const sum = (pick: (score: Score) => number): number => scores.reduce((total, score) => total + pick(score), 0);
  return {
    name,
    planted: sum(({ planted }) => planted),
    found: sum(({ found }) => found),
    false: sum((score) => score.false),
    doubled: sum(({ duplicated }) => duplicated),
    refused: server.refusals.length,
    turns: server.requests.length,
    tokens: spending.spentSince(0).tokens,
    complaints: scores.flatMap(({ name: scenario, complaints }) => complaints.map((one) => `${scenario}: ${one}`)),
  };
};

const figures: Figures[] = [];
for (const persona of personas) {
  const one = await play(persona);
  figures.push(one);
  if (!values.json) {
    process.stdout.write(
      `${one.name.padEnd(20)} ${one.found}/${one.planted} found, ${one.false} false, ${one.turns} turns, ${one.tokens} tokens\n`,
    );
    for (const complaint of one.complaints.slice(0, 5)) process.stdout.write(`    ${complaint}\n`);
  }
}
if (values.json)
  process.stdout.write(
    `${JSON.stringify({ machine: thisMachine(), scenarios: scenarios.length, personas: figures }, null, 2)}\n`,
  );
process.exitCode = figures.every(({ planted, found }) => planted === found) ? 0 : 1;
