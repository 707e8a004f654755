import fc from 'fast-check';
import { expect, test } from 'vitest';
import { estimateTokens, estimateUsage } from '../../src/model/estimate-usage.ts';
import type { ModelRequest } from '../../src/model/model.ts';

const request = (text: string): ModelRequest => ({
  system: 'You look after machines.',
  messages: [{ role: 'user', text }],
  tools: [{ name: 'look', description: 'looks', inputSchema: { type: 'object' } }],
  maxOutputTokens: 100,
});

test('bytes count, not characters', () => {
  expect(estimateTokens('')).toBe(0);
  expect(estimateTokens('abc')).toBe(1);
  expect(estimateTokens('abcd')).toBe(2);
  expect(estimateTokens('äöü')).toBe(2);
});

test('system text, tools and messages are all charged, and the estimate says that it is one', () => {
  const usage = estimateUsage(request('hello'), 'fine');
  expect(usage).toMatchObject({ outputTokens: 2, cachedInputTokens: 0, estimated: true });
  expect(usage.inputTokens).toBeGreaterThan(estimateUsage({ ...request('hello'), tools: [] }, '').inputTokens);
  expect(usage.inputTokens).toBeGreaterThan(estimateUsage({ ...request('hello'), system: '' }, '').inputTokens);
});

test('more text never costs less', () => {
  fc.assert(
    fc.property(fc.string(), fc.string(), (a, b) => {
      const [less, more] = [estimateUsage(request(a), ''), estimateUsage(request(a + b), '')];
      expect(more.inputTokens).toBeGreaterThanOrEqual(less.inputTokens);
    }),
  );
});
