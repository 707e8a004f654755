/** The loop: a model's turn, the calls it makes, their results, and again, until it is done or something ends it. */
import { z } from 'zod';
import { addUsage, NO_USAGE } from '../model/cost.ts';
import { estimateTokens } from '../model/estimate-usage.ts';
import type { Model, ModelMessage, ModelTurn, ToolSpec, Usage } from '../model/model.ts';
import { ModelFailure, type ModelFailureKind } from '../model/model-failure.ts';
import type { Clock } from '../runtime/clock.ts';
import type { Logger } from '../runtime/logger.ts';
import type { FinishedCall } from '../tools/pipeline/call.ts';
import { createLongResults, resultCharacters } from '../tools/pipeline/long-results.ts';
import { createRepeatGate } from '../tools/pipeline/repeat-gate.ts';
import { runToolCalls, type ToolPipeline } from '../tools/pipeline/run-tool-calls.ts';
import type { Tool } from '../tools/tool.ts';
import { fitContext } from './fit-context.ts';
import type { CallCounts, LoopEnd, LoopEndReason } from './loop-end.ts';
import type { OnLoopEvent } from './loop-event.ts';
import { printedCall } from './printed-call.ts';
import type { Profile } from './profile.ts';
import type { Transcript } from './transcript.ts';

/** Turns in a row in which every call failed. */
export const FRUITLESS_TURNS = 3;
/** A call printed as text is corrected this often. */
export const CORRECTIONS = 1;

export interface LoopInput<Context> {
  readonly profile: Profile<Context>;
  readonly model: Model;
  readonly system: string;
  /** The first message. */
  readonly seed: string;
  readonly context: Context;
  readonly clock: Pick<Clock, 'monotonicMs'>;
  readonly logger: Logger;
  readonly signal: AbortSignal;
  readonly transcript: Transcript;
  readonly emit: OnLoopEvent;
}

const REASON_OF: Readonly<Partial<Record<ModelFailureKind, LoopEndReason>>> = {
  cancelled: 'cancelled',
  out_of_budget: 'out_of_budget',
  context_exceeded: 'context_full',
};

const specOf = <Context>({ name, description, input }: Tool<Context>): ToolSpec => ({
  name,
  description,
  inputSchema: z.toJSONSchema(input, { io: 'input', target: 'draft-7' }),
});

/** What changes while a loop runs. */
interface State {
  messages: readonly ModelMessage[];
  turns: number;
  usage: Usage;
  calls: CallCounts;
  printedCalls: number;
  corrections: number;
  fruitless: number;
  finalText: string;
}

const count = ({ succeeded, failed, refused }: CallCounts, finished: readonly FinishedCall[]): CallCounts => ({
  succeeded: succeeded + finished.filter(({ outcome }) => outcome.kind === 'ok').length,
  failed: failed + finished.filter((call) => !call.refused && call.outcome.kind === 'error').length,
  refused: refused + finished.filter((call) => call.refused).length,
});

const errorOf = ({ outcome }: FinishedCall): string | null => (outcome.kind === 'ok' ? null : outcome.error.code);

/** Runs until it ends, and tells how; rejects only when the loop itself is broken. */
export const runLoop = async <Context>(input: LoopInput<Context>): Promise<LoopEnd> => {
  const { profile, transcript, emit } = input;
  const late = new AbortController();
  const timer = setTimeout(() => late.abort(new Error('the loop took too long')), profile.maxDurationMs);
  const state: State = {
    messages: [{ role: 'user', text: input.seed }],
    turns: 0,
    usage: NO_USAGE,
    calls: { succeeded: 0, failed: 0, refused: 0 },
    printedCalls: 0,
    corrections: 0,
    fruitless: 0,
    finalText: '',
  };
  transcript.add({ kind: 'system', text: input.system });
  transcript.add({ kind: 'user', text: input.seed });
  try {
    const ended = await takeTurns(input, state, AbortSignal.any([input.signal, late.signal]));
    const reason = ended.reason === 'cancelled' && !input.signal.aborted ? 'time_used' : ended.reason;
    const { turns, usage, calls, printedCalls, finalText } = state;
    const end: LoopEnd = { reason, failure: ended.failure, turns, usage, calls, printedCalls, finalText };
    transcript.add({ kind: 'end', reason, message: ended.failure?.message ?? null });
    emit({ kind: 'loop_ended', end });
    return end;
  } finally {
    clearTimeout(timer);
  }
};

type Ended = Pick<LoopEnd, 'reason' | 'failure'>;

const ended = (reason: LoopEndReason): Ended => ({ reason, failure: null });

const takeTurns = async <Context>(input: LoopInput<Context>, state: State, signal: AbortSignal): Promise<Ended> => {
  const { profile, model, system } = input;
  const pipeline = pipelineOf(input);
  const specs = [...pipeline.tools.values()].map(specOf);
  const tokens =
    model.contextTokens - profile.maxOutputTokens - estimateTokens(system) - estimateTokens(JSON.stringify(specs));
  const names = new Set(pipeline.tools.keys());
  while (state.turns < profile.maxTurns) {
    if (signal.aborted) return ended('cancelled');
    state.messages = fitContext(state.messages, { tokens });
    const turn = await ask(input, state, specs, signal);
    if (turn instanceof ModelFailure) {
      const { kind, message } = turn;
      return { reason: REASON_OF[kind] ?? 'model_failed', failure: { kind, message } };
    }
    const end =
      turn.toolCalls.length > 0
        ? await makeCalls(input, state, pipeline, turn, signal)
        : withoutCalls(input, state, turn, names);
    if (end !== null) return ended(end);
  }
  return ended('turns_used');
};

const pipelineOf = <Context>(input: LoopInput<Context>): ToolPipeline<Context> => {
  const { profile, model, context, clock, logger, emit } = input;
  const longResults = createLongResults(resultCharacters(model.contextTokens));
  const offered: readonly Tool<Context>[] = [...profile.tools, longResults.readMore];
  return {
    tools: new Map(offered.map((tool) => [tool.name, tool])),
    gates: [createRepeatGate(), ...profile.gates],
    context,
    clock,
    longResults,
    onBegin: ({ name }) => emit({ kind: 'tool_begun', tool: name }),
    onEnd: (call) =>
      emit({
        kind: 'tool_ended',
        tool: call.call.name,
        error: errorOf(call),
        refused: call.refused,
        durationMs: call.durationMs,
      }),
    onThrow: ({ name }, err) => logger.error({ tool: name, err }, 'a tool failed'),
  };
};

const ask = async <Context>(
  { profile, model, system, emit, transcript }: LoopInput<Context>,
  state: State,
  tools: readonly ToolSpec[],
  signal: AbortSignal,
): Promise<ModelTurn | ModelFailure> => {
  state.turns += 1;
  emit({ kind: 'turn_begun', turn: state.turns, maxTurns: profile.maxTurns });
  try {
    const turn = await model.turn(
      { system, messages: state.messages, tools, maxOutputTokens: profile.maxOutputTokens },
      {
        signal,
        onDelta: (text) => emit({ kind: 'text', text }),
        onUsage: (usage) => {
          state.usage = addUsage(state.usage, usage);
          emit({ kind: 'used', usage });
        },
      },
    );
    const { text, toolCalls, opaque } = turn;
    state.messages = [
      ...state.messages,
      { role: 'assistant', text, toolCalls, ...(opaque === undefined ? {} : { opaque }) },
    ];
    transcript.add({
      kind: 'assistant',
      text,
      calls: toolCalls.map((call) => ({ name: call.name, arguments: call.malformed ?? call.arguments })),
    });
    if (text !== '') state.finalText = text;
    return turn;
  } catch (error) {
    if (error instanceof ModelFailure) return error;
    throw error;
  }
};

/** Null: it goes on. */
const makeCalls = async <Context>(
  { transcript }: LoopInput<Context>,
  state: State,
  pipeline: ToolPipeline<Context>,
  { toolCalls }: ModelTurn,
  signal: AbortSignal,
): Promise<LoopEndReason | null> => {
  const finished = await runToolCalls(pipeline, toolCalls, signal);
  state.calls = count(state.calls, finished);
  state.fruitless = finished.some(({ outcome }) => outcome.kind === 'ok') ? 0 : state.fruitless + 1;
  const replies = finished.map(({ call, outcome, text }) => ({
    callId: call.id,
    name: call.name,
    text,
    isError: outcome.kind === 'error',
  }));
  state.messages = [...state.messages, { role: 'tool', replies }];
  const results = finished.map((call) => ({ name: call.call.name, error: errorOf(call), text: call.text }));
  transcript.add({ kind: 'tools', results });
  if (signal.aborted) return 'cancelled';
  return state.fruitless >= FRUITLESS_TURNS ? 'no_progress' : null;
};

/** A turn without a call is the last one, unless it was meant to be another. Null: it goes on. */
const withoutCalls = <Context>(
  { transcript, emit }: LoopInput<Context>,
  state: State,
  { text, finish }: ModelTurn,
  names: ReadonlySet<string>,
): LoopEndReason | null => {
  const printed = printedCall(text, names);
  if (printed !== null) state.printedCalls += 1;
  const why = printed !== null ? 'printed_call' : finish === 'length' ? 'cut_off' : null;
  if (why === null) return 'finished';
  if (state.corrections >= CORRECTIONS) return why === 'printed_call' ? 'tools_as_text' : 'finished';
  state.corrections += 1;
  const correction =
    why === 'printed_call'
      ? `You printed a call of ${printed} as text: nothing was called. Call tools through the tool interface, or finish.`
      : 'Your answer was cut off by its length. Go on by calling a tool, or finish in one sentence.';
  state.messages = [...state.messages, { role: 'user', text: correction }];
  transcript.add({ kind: 'user', text: correction });
  emit({ kind: 'corrected', why });
  return null;
};
