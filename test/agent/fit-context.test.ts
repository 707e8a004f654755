import fc from 'fast-check';
import { expect, test } from 'vitest';
import { fitContext, WHOLE_RESULTS } from '../../src/agent/fit-context.ts';
import { estimateTokens } from '../../src/model/estimate-usage.ts';
import type { ModelMessage } from '../../src/model/model.ts';

const sizeOf = (messages: readonly ModelMessage[]): number =>
  messages.reduce((sum, message) => sum + estimateTokens(JSON.stringify(message)), 0);

const conversation = (results: readonly number[]): readonly ModelMessage[] => [
  { role: 'user', text: 'look around' },
  ...results.flatMap((length, turn): readonly ModelMessage[] => [
    { role: 'assistant', text: '', toolCalls: [{ id: `c${turn}`, name: 'look', arguments: {} }] },
    { role: 'tool', replies: [{ callId: `c${turn}`, name: 'look', text: 'x'.repeat(length), isError: false }] },
  ]),
];

test('what fits is left alone', () => {
  const messages = conversation([1_000, 1_000]);
  expect(fitContext(messages, { tokens: 100_000 })).toBe(messages);
});

test('results go from the oldest on, no more than needed, and the newest stay', () => {
  const messages = conversation([6_000, 6_000, 6_000, 6_000]);
  const fitted = fitContext(messages, { tokens: 6_500 });
  const texts = fitted.flatMap((message) => (message.role === 'tool' ? message.replies.map(({ text }) => text) : []));
  expect(texts.map((text) => text.startsWith('[result of look'))).toEqual([true, false, false, false]);
  expect(sizeOf(fitted)).toBeLessThanOrEqual(6_500);
});

test('each call keeps its one result, the same goes out again, and messages that stay are the same objects', () => {
  fc.assert(
    fc.property(
      fc.array(fc.integer({ min: 0, max: 9_000 }), { maxLength: 12 }),
      fc.integer({ min: 50, max: 20_000 }),
      (results, tokens) => {
        const messages = conversation(results);
        const fitted = fitContext(messages, { tokens });
        expect(fitted.map(({ role }) => role)).toEqual(messages.map(({ role }) => role));
        expect(fitContext(fitted, { tokens }).map((message) => JSON.stringify(message))).toEqual(
          fitted.map((message) => JSON.stringify(message)),
        );
        const whole = messages.filter(({ role }) => role === 'tool').slice(-WHOLE_RESULTS);
        for (const message of whole) expect(fitted).toContain(message);
        if (sizeOf(fitted) > tokens) {
          const left = fitted
            .flatMap((message) => (message.role === 'tool' ? message.replies : []))
            .slice(0, -WHOLE_RESULTS);
          expect(left.every(({ text }) => text.length <= 300)).toBe(true);
        }
      },
    ),
  );
});
