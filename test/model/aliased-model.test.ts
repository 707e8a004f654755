import { expect, test } from 'vitest';
import { aliasedModel } from '../../src/model/aliased-model.ts';
import { createAliases } from '../../src/model/aliases.ts';
import { ASKED, chatModel } from '../support/chat-model.ts';
import { textOf } from '../support/chat-request.ts';

const aliases = createAliases('k'.repeat(64), () => [
  { name: 'bluebird', kind: 'host' },
  { name: 'home/vm/kestrel', kind: 'guest' },
]);

test('the provider sees aliases in everything that is sent, and its words come home with the names', async () => {
  const { model, server, abort } = await chatModel(function* ({ messages }) {
    const alias = /host-[a-z2-7]{6}/.exec(textOf(messages.at(-1) ?? { role: 'user', content: '' }))?.[0] ?? 'none';
    yield { kind: 'text', text: `${alias} is hot, ${alias}`, pieceLength: 3 };
    yield { kind: 'call', name: 'look', arguments: { at: alias, [alias]: [`on ${alias}`] } };
    yield { kind: 'call', name: 'look', arguments: `{"at": "${alias}` };
  });
  const deltas: string[] = [];
  const turn = await aliasedModel(model, aliases).turn(
    {
      ...ASKED,
      system: 'You look after bluebird.',
      messages: [
        { role: 'user', text: 'Look at bluebird.' },
        {
          role: 'assistant',
          text: 'bluebird it is',
          toolCalls: [{ id: 'a', name: 'look', arguments: { at: 'bluebird' } }],
        },
        {
          role: 'tool',
          replies: [{ callId: 'a', name: 'look', text: 'bluebird: 91 degrees at 192.0.2.1', isError: false }],
        },
        { role: 'user', text: 'And home/vm/kestrel, on bluebird?' },
      ],
    },
    { signal: abort.signal, onUsage: () => undefined, onDelta: (text) => deltas.push(text) },
  );
  expect(turn.text).toBe('bluebird is hot, bluebird');
  expect(deltas.join('')).toBe(turn.text);
  expect(turn.toolCalls[0]?.arguments).toEqual({ at: 'bluebird', bluebird: ['on bluebird'] });
  expect(turn.toolCalls[1]?.malformed).toBe('{"at": "bluebird');
  expect(server.requests[0]?.text).not.toMatch(/bluebird|kestrel|192\.0\.2\.1/);
});
