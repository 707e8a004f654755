/** One request to a provider: sent, heard to its end within the limits of time, and charged for whatever happens. */
import type { LanguageModelV4, LanguageModelV4StreamPart } from '@ai-sdk/provider';
import type { Clock } from '../runtime/clock.ts';
import { classifyFailure } from './classify-failure.ts';
import { estimateUsage } from './estimate-usage.ts';
import { AnswerCutOff, type Heard, Listener } from './hear-answer.ts';
import type { ModelRequest, ModelTurn, TurnOptions, Usage } from './model.ts';
import { ModelFailure } from './model-failure.ts';
import type { Opaque } from './opaque.ts';
import type { Provider } from './providers/provider.ts';
import { type ModelTimeouts, watchAnswer } from './time-limits.ts';
import { toCallOptions } from './to-prompt.ts';

export interface AttemptDeps {
  readonly provider: Provider;
  readonly name: string;
  readonly origin: string;
  /** Loaded when first asked for. */
  readonly load: () => Promise<LanguageModelV4>;
  readonly timeouts: ModelTimeouts;
  readonly clock: Clock;
}

export type Attempt = (request: ModelRequest, options: TurnOptions) => Promise<ModelTurn>;

/** Nobody charges for what a provider refused, or never got; one that was left while it worked may. */
const isFree = ({ details, kind }: ModelFailure, started: boolean): boolean =>
  'status' in details || (!started && ('transport' in details || (kind !== 'timed_out' && kind !== 'cancelled')));

const usageOf = (request: ModelRequest, { usage, everything }: Heard): Usage =>
  usage ?? estimateUsage(request, everything);

const turnOf = (request: ModelRequest, heard: Heard, { provider, name }: AttemptDeps): ModelTurn => {
  if (heard.finish === null) throw new AnswerCutOff('the stream ended early');
  const { thoughts, marks, text, toolCalls } = heard;
  const opaque: Opaque = { provider: provider.type, name, thoughts, text: marks.text, calls: marks.calls };
  const isMarked = thoughts.length > 0 || marks.text !== undefined || Object.keys(marks.calls).length > 0;
  // Some servers say `stop` although there are calls.
  const finish = toolCalls.length > 0 && heard.finish === 'stop' ? 'tool_calls' : heard.finish;
  return { text, toolCalls, finish, usage: usageOf(request, heard), ...(isMarked ? { opaque } : {}) };
};

export const createAttempt =
  (deps: AttemptDeps): Attempt =>
  async (request, { signal, onDelta, onUsage }) => {
    const { clock, origin, timeouts } = deps;
    if (signal.aborted) throw cancellation(signal);
    const listener = new Listener(onDelta ?? (() => undefined));
    const watched = watchAnswer(clock, timeouts, origin);
    let started = false;
    try {
      const model = await deps.load();
      const { stream } = await model.doStream({
        ...toCallOptions(request, deps.provider, deps.name),
        abortSignal: AbortSignal.any([signal, watched.signal]),
      });
      started = true;
      for await (const part of stream as AsyncIterable<LanguageModelV4StreamPart>) watched.touch(listener.hear(part));
      const turn = turnOf(request, listener.heard(), deps);
      onUsage(turn.usage);
      return turn;
    } catch (error) {
      const failure = failureOf(error, signal, watched.signal, {
        origin,
        model: deps.name,
        started,
        heard: listener.heard().everything !== '',
        nowMs: clock.nowMs(),
      });
      if (!isFree(failure, started)) onUsage(usageOf(request, listener.heard()));
      throw failure;
    } finally {
      watched.stop();
    }
  };

/** Who aborted knows why; the error that an aborted request ends with does not. */
const failureOf = (
  error: unknown,
  asked: AbortSignal,
  limit: AbortSignal,
  context: Parameters<typeof classifyFailure>[1],
): ModelFailure => {
  if (limit.aborted && limit.reason instanceof ModelFailure) return limit.reason;
  return asked.aborted ? cancellation(asked) : classifyFailure(error, context);
};

/** The reason that a signal was aborted with, as a failure. */
export const cancellation = ({ reason }: AbortSignal): ModelFailure =>
  reason instanceof ModelFailure ? reason : new ModelFailure('cancelled', 'the turn was cancelled', { cause: reason });
