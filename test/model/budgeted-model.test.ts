import { expect, test } from 'vitest';
import { chatModel, whileTimePasses } from '../support/chat-model.ts';

const tokens = (prompt: number, completion: number) =>
  ({ kind: 'usage', usage: { prompt_tokens: prompt, completion_tokens: completion } }) as const;

test('a turn that does not fit is not sent, and says which limit it was', async () => {
  const { turn, server } = await chatModel(() => [tokens(900, 60)], { config: { budget: { tokensPerRun: 1_000 } } });
  await turn();
  await expect(turn()).rejects.toMatchObject({
    kind: 'out_of_budget',
    message: 'model.budget.tokensPerRun: 960 tokens of 1000 tokens are used, and the next turn does not fit',
    details: { limit: 'tokensPerRun' },
  });
  expect(server.requests).toHaveLength(1);
});

test('attempts that failed are charged too', async () => {
  const { turn, clock, usages } = await chatModel(
    function* ({ index }) {
      yield { kind: 'text', text: 'x'.repeat(3_000) };
      if (index === 0) yield { kind: 'cut' };
    },
    { config: { budget: { tokensPerRun: 1_900 } } },
  );
  await whileTimePasses(clock, turn());
  expect(usages).toMatchObject([{ estimated: true, outputTokens: 1_000 }, { estimated: false }]);
  await expect(turn()).rejects.toMatchObject({ kind: 'out_of_budget' });
});

test('money is limited where the price is known', async () => {
  const { turn } = await chatModel(() => [tokens(100, 100_000)], {
    config: { budget: { usdPerRun: 1 }, prices: { inputUsd: 1, outputUsd: 10 } },
  });
  await turn();
  await expect(turn()).rejects.toMatchObject({ message: expect.stringMatching(/usdPerRun: 1\.00 USD of 1\.00 USD/) });
});
