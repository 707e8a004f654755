import { expect, test } from 'vitest';
import { mapCallTexts, mapJsonTexts, mapRequestTexts } from '../../src/model/map-texts.ts';

const shout = (text: string): string => text.toUpperCase();

test('strings and keys of any depth are changed, other values stay', () => {
  const value = { a: ['b', 1, null, { c: true }], d: 2.5 };
  expect(mapJsonTexts(value, shout)).toEqual({ A: ['B', 1, null, { C: true }], D: 2.5 });
});

test('a call keeps its id and the name of its tool', () => {
  const call = { id: 'call-1', name: 'look', arguments: { at: 'node' }, malformed: '{"at' };
  expect(mapCallTexts(call, shout)).toEqual({
    id: 'call-1',
    name: 'look',
    arguments: { AT: 'NODE' },
    malformed: '{"AT',
  });
});

test('tools stay as they are, and what a provider wants back is not touched', () => {
  const opaque = [{ signature: 'abc' }];
  const tools = [{ name: 'look', description: 'looks', inputSchema: { type: 'object' } }];
  const request = mapRequestTexts(
    { system: 'you', messages: [{ role: 'assistant', text: 'a', toolCalls: [], opaque }], tools, maxOutputTokens: 5 },
    shout,
  );
  expect(request).toEqual({
    system: 'YOU',
    messages: [{ role: 'assistant', text: 'A', toolCalls: [], opaque }],
    tools,
    maxOutputTokens: 5,
  });
});
