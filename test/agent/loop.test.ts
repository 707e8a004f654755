import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { FRUITLESS_TURNS, runLoop } from '../../src/agent/loop.ts';
import type { LoopEnd } from '../../src/agent/loop-end.ts';
import type { LoopEvent } from '../../src/agent/loop-event.ts';
import type { Profile } from '../../src/agent/profile.ts';
import type { TranscriptEntry } from '../../src/agent/transcript.ts';
import { createLogger } from '../../src/runtime/logger.ts';
import { defineTool, type Tool } from '../../src/tools/tool.ts';
import type { ChatScript, ChatStep } from '../support/chat-answer.ts';
import { type ChatModel, chatModel } from '../support/chat-model.ts';

interface Looked {
  readonly at: string[];
}

const look = defineTool<Looked, { readonly at: string }>({
  name: 'look',
  effect: 'read',
  description: 'looks at a resource',
  input: z.strictObject({ at: z.string() }),
  timeoutMs: 1_000,
  run: async ({ at }, { at: looked }) => {
    looked.push(at);
    if (at === 'nowhere') return { kind: 'error', error: { code: 'resource_not_found', message: 'no such thing' } };
    return { kind: 'ok', text: at === 'large' ? 'line\n'.repeat(20_000) : `${at} is well`, evidence: [], touched: [] };
  },
}) as Tool<Looked>;

const calls = (...at: readonly string[]): readonly ChatStep[] =>
  at.map((one) => ({ kind: 'call', name: 'look', arguments: { at: one } }));
const says = (text: string): readonly ChatStep[] => [{ kind: 'text', text }];

/** One answer a turn; the last one is repeated. */
const script = (...turns: readonly (readonly ChatStep[])[]): ChatScript => {
  let turn = 0;
  return () => {
    const steps = turns[Math.min(turn, turns.length - 1)] ?? [];
    turn += 1;
    return steps;
  };
};

interface Played {
  readonly end: LoopEnd;
  readonly looked: readonly string[];
  readonly events: readonly LoopEvent[];
  readonly transcript: readonly TranscriptEntry[];
  readonly chat: ChatModel;
}

const play = async (
  answers: ChatScript,
  {
    profile = {},
    config = {},
    signal,
    onEvent = () => undefined,
  }: {
    readonly profile?: Partial<Profile<Looked>>;
    readonly config?: object;
    readonly signal?: AbortSignal;
    readonly onEvent?: (event: LoopEvent) => void;
  } = {},
): Promise<Played> => {
  const chat = await chatModel(answers, { config });
  const looked: string[] = [];
  const events: LoopEvent[] = [];
  const transcript: TranscriptEntry[] = [];
  const end = await runLoop<Looked>({
    profile: {
      name: 'patrol',
      tools: [look],
      gates: [],
      maxTurns: 10,
      maxOutputTokens: 500,
      maxDurationMs: 30_000,
      ...profile,
    },
    model: chat.model,
    system: 'You look after machines.',
    seed: 'How are they?',
    context: { at: looked },
    clock: chat.clock,
    logger: createLogger({ level: 'silent', clock: chat.clock }),
    signal: signal ?? new AbortController().signal,
    transcript: { add: (entry) => transcript.push(entry) },
    emit: (event) => {
      events.push(event);
      onEvent(event);
    },
  });
  return { end, looked, events, transcript, chat };
};

test('it goes on with the results of each turn until nothing is called, and says what it used', async () => {
  const { end, looked, events, transcript, chat } = await play(
    script(calls('nas', 'router'), calls('nas2'), says('All is well.')),
  );
  expect(end).toMatchObject({
    reason: 'finished',
    failure: null,
    turns: 3,
    calls: { succeeded: 3, failed: 0, refused: 0 },
    printedCalls: 0,
    finalText: 'All is well.',
  });
  expect(looked).toEqual(['nas', 'router', 'nas2']);
  expect(chat.server.requests).toHaveLength(3);
  const used = events.flatMap((event) => (event.kind === 'used' ? [event.usage.inputTokens] : []));
  expect(used).toHaveLength(3);
  expect(end.usage.inputTokens).toBe(used.reduce((sum, tokens) => sum + tokens, 0));
  expect(transcript.map(({ kind }) => kind)).toEqual([
    'system',
    'user',
    'assistant',
    'tools',
    'assistant',
    'tools',
    'assistant',
    'end',
  ]);
  expect(events.filter(({ kind }) => kind === 'tool_ended')).toHaveLength(3);
  expect(events.at(-1)).toMatchObject({ kind: 'loop_ended', end: { reason: 'finished' } });
});

describe('it ends', () => {
  test.each<[string, ChatScript, Partial<Profile<Looked>>, LoopEnd['reason'], number]>([
    [
      'when its turns are used',
      script(calls('a'), calls('b'), calls('c'), calls('d')),
      { maxTurns: 3 },
      'turns_used',
      3,
    ],
    [
      'when nothing succeeds any more',
      script(calls('nowhere'), calls('nowhere', 'nowhere')),
      {},
      'no_progress',
      FRUITLESS_TURNS,
    ],
    ['when it goes round in circles', script(calls('a')), {}, 'no_progress', 3 + FRUITLESS_TURNS],
    [
      'when it calls only what does not exist',
      script([{ kind: 'call', name: 'sudo', arguments: {} }]),
      {},
      'no_progress',
      FRUITLESS_TURNS,
    ],
    ['when it says nothing', script(says('')), {}, 'finished', 1],
    ['when it goes on printing calls', script(says('look({"at":"a"})')), {}, 'tools_as_text', 2],
    [
      'when it is cut off again and again',
      script([...says('so'), { kind: 'finish', reason: 'length' }]),
      {},
      'finished',
      2,
    ],
    [
      'when the provider refuses',
      script([{ kind: 'status', status: 401, body: { error: { message: 'no' } } }]),
      {},
      'model_failed',
      1,
    ],
  ])('%s', async (_, answers, profile, reason, turns) => {
    const { end } = await play(answers, { profile });
    expect([end.reason, end.turns]).toEqual([reason, turns]);
  });

  test('when the budget is spent, with the reason', async () => {
    const { end } = await play(script(calls('large'), calls('b')), { config: { budget: { tokensPerRun: 2_000 } } });
    expect(end).toMatchObject({ reason: 'out_of_budget', failure: { kind: 'out_of_budget' } });
  });

  test('when its time is over, in the middle of an answer', async () => {
    const { end } = await play(script([{ kind: 'hold', until: new Promise(() => undefined) }]), {
      profile: { maxDurationMs: 50 },
    });
    expect([end.reason, end.turns]).toEqual(['time_used', 1]);
  });

  test('when it is cancelled, and runs nothing more', async () => {
    const abort = new AbortController();
    const { end, looked, transcript } = await play(script(calls('a'), calls('b')), {
      signal: abort.signal,
      onEvent: ({ kind }) => {
        if (kind === 'tool_ended') abort.abort(new Error('enough'));
      },
    });
    expect([end.reason, looked]).toEqual(['cancelled', ['a']]);
    expect(transcript.at(-1)).toMatchObject({ kind: 'end', reason: 'cancelled' });
  });
});

test('a call that was printed is corrected once, and then made', async () => {
  const { end, looked, events } = await play(
    script(says('{"name":"look","arguments":{"at":"nas"}}'), calls('nas'), says('well')),
  );
  expect(end).toMatchObject({ reason: 'finished', printedCalls: 1, turns: 3 });
  expect(looked).toEqual(['nas']);
  expect(events).toContainEqual({ kind: 'corrected', why: 'printed_call' });
});

test('a result that is too long is shown in part, and the rest can be read', async () => {
  const { end, transcript } = await play(
    script(calls('large'), [{ kind: 'call', name: 'read_more', arguments: { cursor: 'r1:3580' } }], says('long')),
    { config: { contextTokens: 8_192 } },
  );
  expect(end).toMatchObject({ reason: 'finished', calls: { succeeded: 2 } });
  const shown = transcript.flatMap((entry) => (entry.kind === 'tools' ? entry.results.map(({ text }) => text) : []));
  expect(shown.every((text) => text.length <= 3_686)).toBe(true);
  expect(shown[0]).toContain('[cut at ');
});

test('in a small context old results make room, and the conversation goes on', async () => {
  const { end, chat } = await play(
    script(
      ...Array.from({ length: 9 }, () => calls('large')).map((steps, turn) =>
        turn % 3 === 2 ? [...steps, ...calls(`x${turn}`)] : [...calls(`y${turn}`), ...steps],
      ),
      says('done'),
    ),
    {
      config: { contextTokens: 8_192 },
      profile: { maxTurns: 20 },
    },
  );
  expect(end.turns).toBeGreaterThan(4);
  for (const { messages } of chat.server.requests) expect(JSON.stringify(messages).length / 3).toBeLessThan(8_192);
});
