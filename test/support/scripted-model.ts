/** A model for whole runs: the product's own port, to a scripted server over real HTTP. */
import { onTestFinished } from 'vitest';
import { modelConfigSchema } from '../../src/config/model.ts';
import { createModelOpener } from '../../src/model/model-opener.ts';
import { modelSettings } from '../../src/model/model-settings.ts';
import { createSpendingInMemory } from '../../src/model/spending-in-memory.ts';
import type { ChatScript } from './chat-answer.ts';
import { type ChatServer, startChatServer } from './chat-server.ts';
import type { ScriptedModel } from './scripted-patrol.ts';

export const scriptedModel = async (
  script: ChatScript,
  config: object = {},
): Promise<ScriptedModel & { readonly server: ChatServer }> => {
  const server = await startChatServer(script);
  onTestFinished(async () => {
    await server.close();
    if (server.refusals.length > 0) throw new Error(server.refusals.join('\n'));
  });
  const settings = modelSettings(
    modelConfigSchema.parse({
      provider: 'openai-compatible',
      baseUrl: server.baseUrl,
      name: 'scripted',
      ...config,
    }),
  );
  if (settings === null) throw new Error('no model is configured');
  return {
    server,
    settings,
    open: (clock) => {
      const opener = createModelOpener({
        clock,
        random: () => 0,
        spending: createSpendingInMemory(),
        aliasKey: () => '0'.repeat(64),
      });
      return async (wanted, names) => opener.open(wanted, names);
    },
  };
};
