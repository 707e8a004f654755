/** A hosted provider's API as far as a test needs it: what it is sent, and events that it answers with. */
import { onTestFinished } from 'vitest';
import { modelConfigSchema } from '../../src/config/model.ts';
import { createAliases } from '../../src/model/aliases.ts';
import { createBudget } from '../../src/model/budget.ts';
import { createCircuits } from '../../src/model/circuit.ts';
import type { ModelRequest, ModelTurn, Usage } from '../../src/model/model.ts';
import { modelSettings } from '../../src/model/model-settings.ts';
import { openModel } from '../../src/model/open-model.ts';
import { createSpendingInMemory } from '../../src/model/spending-in-memory.ts';
import { ASKED } from './chat-model.ts';
import { createFakeClock, type FakeClock } from './fake-clock.ts';
import { startScriptedServer } from './scripted-server.ts';

export interface SentRequest {
  readonly path: string;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: Record<string, unknown>;
}

export interface WireAnswer {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** Server-sent events: with a `type` they are named by it, as Anthropic and OpenAI do. */
  readonly events?: readonly object[];
  readonly json?: object;
}

export interface ProviderWire {
  readonly sent: readonly SentRequest[];
  readonly usages: readonly Usage[];
  readonly clock: FakeClock;
  turn(request?: Partial<ModelRequest>): Promise<ModelTurn>;
}

const eventText = (event: object): string => {
  const type = 'type' in event ? `event: ${String(event.type)}\n` : '';
  return `${type}data: ${JSON.stringify(event)}\n\n`;
};

export const providerWire = async (
  config: { readonly provider: string; readonly name: string },
  answers: readonly WireAnswer[],
): Promise<ProviderWire> => {
  const sent: SentRequest[] = [];
  const server = await startScriptedServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const answer = answers[Math.min(sent.length, answers.length - 1)] ?? {};
      const body = JSON.parse(Buffer.concat(chunks).toString('utf8')) as Record<string, unknown>;
      sent.push({ path: request.url ?? '', headers: request.headers, body });
      const type = answer.json === undefined ? 'text/event-stream' : 'application/json';
      response.writeHead(answer.status ?? 200, { 'content-type': type, ...answer.headers });
      response.end(
        answer.json === undefined ? (answer.events ?? []).map(eventText).join('') : JSON.stringify(answer.json),
      );
    });
  });
  const clock = createFakeClock();
  const settings = modelSettings(
    modelConfigSchema.parse({ ...config, baseUrl: `${server.url}/v9`, apiKey: 'the-key' }),
  );
  if (settings === null) throw new Error('no model is configured');
  const budget = createBudget({ limits: {}, price: null, log: createSpendingInMemory(), clock });
  const aliases = createAliases('0'.repeat(64), () => []);
  const { model, close } = openModel(settings, {
    clock,
    random: () => 0,
    circuits: createCircuits(clock),
    budget,
    aliases,
  });
  onTestFinished(async () => {
    close();
    await server.close();
  });
  const usages: Usage[] = [];
  const options = { signal: new AbortController().signal, onUsage: (usage: Usage) => usages.push(usage) };
  return { sent, usages, clock, turn: (request = {}) => model.turn({ ...ASKED, ...request }, options) };
};
