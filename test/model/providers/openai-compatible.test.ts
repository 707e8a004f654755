import { expect, test } from 'vitest';
import { chatModel } from '../../support/chat-model.ts';

test('a key is sent where there is one', async () => {
  const { turn, server } = await chatModel(() => [{ kind: 'text', text: 'hi' }], {
    config: { apiKey: 'k1' },
    apiKey: 'k1',
  });
  await turn();
  expect(server.requests[0]?.headers).toMatchObject({ authorization: 'Bearer k1' });
});

test('tools are sent as JSON schema, and without tools nothing of them', async () => {
  const { turn, server } = await chatModel(() => [{ kind: 'text', text: 'hi' }]);
  await turn();
  await turn({ tools: [] });
  expect(server.requests[0]?.tools).toMatchObject([{ name: 'look', parameters: { required: ['at'] } }]);
  expect(server.requests[1]?.text).not.toContain('tools');
});
