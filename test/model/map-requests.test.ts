import { expect, test } from 'vitest';
import { createRequestMap } from '../../src/model/map-requests.ts';
import type { ModelRequest } from '../../src/model/model.ts';

const request = (...texts: readonly string[]): ModelRequest => ({
  system: 'you',
  messages: texts.map((text) => ({ role: 'user', text })),
  tools: [],
  maxOutputTokens: 1,
});

test('a text that was mapped in the request before is not mapped again', () => {
  const mapped: string[] = [];
  const map = createRequestMap((text) => {
    mapped.push(text);
    return text.toUpperCase();
  });
  map(request('a', 'b', 'a'));
  expect(map(request('a', 'b', 'c'))).toMatchObject({
    system: 'YOU',
    messages: [{ text: 'A' }, { text: 'B' }, { text: 'C' }],
  });
  expect(mapped).toEqual(['you', 'a', 'b', 'c']);
});

test('what the last request did not hold is forgotten', () => {
  const mapped: string[] = [];
  const map = createRequestMap((text) => {
    mapped.push(text);
    return text;
  });
  for (const text of ['a', 'b', 'a']) map(request(text));
  expect(mapped).toEqual(['you', 'a', 'b', 'a']);
});

test('with another stamp everything is mapped anew', () => {
  let suffix = '1';
  const map = createRequestMap(
    (text) => text + suffix,
    () => suffix,
  );
  expect(map(request('a'))).toMatchObject({ messages: [{ text: 'a1' }] });
  suffix = '2';
  expect(map(request('a'))).toMatchObject({ messages: [{ text: 'a2' }] });
});
