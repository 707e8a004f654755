import { expect, onTestFinished, test } from 'vitest';
import { modelConfigSchema } from '../../src/config/model.ts';
import { createModelOpener } from '../../src/model/model-opener.ts';
import { modelSettings } from '../../src/model/model-settings.ts';
import { createSpendingInMemory } from '../../src/model/spending-in-memory.ts';
import type { ChatScript } from '../support/chat-answer.ts';
import { ASKED, whileTimePasses } from '../support/chat-model.ts';
import { startChatServer } from '../support/chat-server.ts';
import { createFakeClock } from '../support/fake-clock.ts';

const daemon = async (script: ChatScript, config: object = {}) => {
  const server = await startChatServer(script);
  const clock = createFakeClock();
  const opener = createModelOpener({
    clock,
    random: () => 0,
    spending: createSpendingInMemory(),
    aliasKey: () => 'k'.repeat(64),
  });
  const settings = modelSettings(
    modelConfigSchema.parse({ provider: 'openai-compatible', baseUrl: server.baseUrl, name: 'm', ...config }),
  );
  if (settings === null) throw new Error('no model is configured');
  const opened: { close(): void }[] = [];
  onTestFinished(async () => {
    for (const one of opened) one.close();
    await server.close();
  });
  const run = (text = 'hello') => {
    const one = opener.open(settings, () => [{ name: 'bluebird', kind: 'host' }]);
    opened.push(one);
    const options = { signal: new AbortController().signal, onUsage: () => undefined };
    return { ...one, turn: () => one.model.turn({ ...ASKED, messages: [{ role: 'user', text }] }, options) };
  };
  return { server, clock, opener, run };
};

test('a circuit that one run opened is open for the next, until its time has come', async () => {
  let isWell = false;
  const { run, clock, server } = await daemon(function* () {
    if (!isWell) yield { kind: 'status', status: 500 };
    yield { kind: 'text', text: 'hi' };
  });
  await expect(whileTimePasses(clock, run().turn())).rejects.toMatchObject({ kind: 'overloaded' });
  await expect(run().turn()).rejects.toMatchObject({ kind: 'circuit_open' });
  isWell = true;
  await clock.advance(5_000);
  await run().turn();
  await run().turn();
  expect(server.requests).toHaveLength(5);
});

test('what one run used counts for the day, and not for the next run', async () => {
  const usage = { prompt_tokens: 900, completion_tokens: 100 };
  const { run } = await daemon(() => [{ kind: 'usage', usage }], {
    budget: { tokensPerRun: 1_050, tokensPerDay: 2_050 },
  });
  const first = run();
  await first.turn();
  await expect(first.turn()).rejects.toMatchObject({ details: { limit: 'tokensPerRun' } });
  const second = run();
  await second.turn();
  expect(run().budget.refusal(100)).toMatchObject({ limit: 'tokensPerDay', spent: 2_000 });
});

test('an alias is the same in every run', async () => {
  const { run, server } = await daemon(() => [{ kind: 'text', text: 'hi' }], { replaceNames: true });
  await run('bluebird').turn();
  await run('and bluebird').turn();
  const [first, second] = server.requests.map(({ text }) => /host-[a-z2-7]{6}/.exec(text)?.[0]);
  expect(first).toBeDefined();
  expect(second).toBe(first);
});
