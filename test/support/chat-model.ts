/** A model as the product opens it, talking to a scripted server over real HTTP. */
import { onTestFinished } from 'vitest';
import { modelConfigSchema } from '../../src/config/model.ts';
import { createAliases, type NamedThing } from '../../src/model/aliases.ts';
import { createBudget } from '../../src/model/budget.ts';
import { createCircuits } from '../../src/model/circuit.ts';
import type { Model, ModelRequest, ModelTurn, Usage } from '../../src/model/model.ts';
import { modelSettings } from '../../src/model/model-settings.ts';
import { openModel } from '../../src/model/open-model.ts';
import { createSpendingInMemory } from '../../src/model/spending-in-memory.ts';
import type { ChatScript } from './chat-answer.ts';
import { type ChatServer, type ChatServerOptions, startChatServer } from './chat-server.ts';
import { createFakeClock, type FakeClock } from './fake-clock.ts';

export interface ChatModel {
  readonly server: ChatServer;
  readonly model: Model;
  readonly clock: FakeClock;
  /** Of every attempt. */
  readonly usages: readonly Usage[];
  readonly deltas: readonly string[];
  readonly abort: AbortController;
  turn(request?: Partial<ModelRequest>): Promise<ModelTurn>;
}

export const LOOK = {
  name: 'look',
  description: 'looks at a resource',
  inputSchema: { type: 'object', properties: { at: { type: 'string' } }, required: ['at'] },
};

export const ASKED: ModelRequest = {
  system: 'You look after machines.',
  messages: [{ role: 'user', text: 'How are they?' }],
  tools: [LOOK],
  maxOutputTokens: 500,
};

/** Closed when the test ends; a request that the protocol forbids fails it. */
export const chatModel = async (
  script: ChatScript,
  options: ChatServerOptions & {
    readonly config?: object;
    readonly mayRefuse?: boolean;
    readonly names?: () => readonly NamedThing[];
  } = {},
): Promise<ChatModel> => {
  const server = await startChatServer(script, options);
  const clock = createFakeClock();
  const settings = modelSettings(
    modelConfigSchema.parse({
      provider: 'openai-compatible',
      baseUrl: server.baseUrl,
      name: 'scripted',
      ...options.config,
    }),
  );
  if (settings === null) throw new Error('no model is configured');
  const log = createSpendingInMemory();
  const { model, close } = openModel(settings, {
    clock,
    random: () => 0,
    circuits: createCircuits(clock),
    budget: createBudget({ limits: settings.limits, price: settings.price, log, clock }),
    aliases: createAliases('0'.repeat(64), options.names ?? (() => [])),
  });
  onTestFinished(async () => {
    close();
    await server.close();
    if (options.mayRefuse !== true && server.refusals.length > 0) throw new Error(server.refusals.join('\n'));
  });
  const usages: Usage[] = [];
  const deltas: string[] = [];
  const abort = new AbortController();
  return {
    server,
    model,
    clock,
    usages,
    deltas,
    abort,
    turn: (request = {}) =>
      model.turn(
        { ...ASKED, ...request },
        { signal: abort.signal, onUsage: (usage) => usages.push(usage), onDelta: (text) => deltas.push(text) },
      ),
  };
};

/** Lets fake time pass until `promise` settles, a second for each look at the real world. */
export const whileTimePasses = async <T>(clock: FakeClock, promise: Promise<T>, maxSeconds = 3_600): Promise<T> => {
  let isSettled = false;
  const settled = promise.finally(() => {
    isSettled = true;
  });
  settled.catch(() => undefined);
  for (let seconds = 0; !isSettled && seconds < maxSeconds; seconds += 1) await clock.advance(1_000);
  return settled;
};
