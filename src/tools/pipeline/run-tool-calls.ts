/** The tool calls of one turn: checked in order, run beside each other, finished in order. */
import type { Clock } from '../../runtime/clock.ts';
import type { Tool, ToolOutcome } from '../tool.ts';
import type { AcceptedCall, FinishedCall, RefusedCall, RequestedCall } from './call.ts';
import { checkCalls } from './check-calls.ts';
import { type Executed, executeCalls } from './execute-calls.ts';
import type { Gate } from './gate.ts';
import type { LongResults } from './long-results.ts';

export interface ToolPipeline<Context> {
  /** Those that are offered, by name. */
  readonly tools: ReadonlyMap<string, Tool<Context>>;
  readonly gates: readonly Gate<Context>[];
  readonly context: Context;
  readonly clock: Pick<Clock, 'monotonicMs'>;
  readonly longResults: LongResults;
  readonly onBegin: (call: RequestedCall) => void;
  readonly onEnd: (call: FinishedCall) => void;
  readonly onThrow: (call: RequestedCall, error: unknown) => void;
}

const textOf = (outcome: ToolOutcome): string => {
  if (outcome.kind === 'ok') return outcome.text;
  const { code, message, details } = outcome.error;
  return JSON.stringify({ error: code, message, ...(details === undefined ? {} : { details }) });
};

const refusedOutcome = ({ error }: RefusedCall): Executed => ({ outcome: { kind: 'error', error }, durationMs: 0 });

/** Exactly one result for each call, in the model's order: the same calls give the same whatever ended first. */
export const runToolCalls = async <Context>(
  pipeline: ToolPipeline<Context>,
  calls: readonly RequestedCall[],
  signal: AbortSignal,
): Promise<readonly FinishedCall[]> => {
  const { tools, gates, context, clock, longResults, onBegin, onEnd, onThrow } = pipeline;
  const checked = checkCalls(calls, tools, gates);
  const accepted = checked.filter((call): call is AcceptedCall<Context> => call.kind === 'accepted');
  const executed = await executeCalls(
    accepted,
    {
      context,
      clock,
      onBegin: ({ call }) => onBegin(call),
      onThrow: ({ call }, error) => onThrow(call, error),
    },
    signal,
  );
  return checked.map((one) => {
    const result = one.kind === 'refused' ? refusedOutcome(one) : executed.get(one);
    if (result === undefined) throw new TypeError(`the call ${one.call.name} has no result`);
    const { outcome, durationMs } = result;
    const text = longResults.show(textOf(outcome));
    const finished: FinishedCall = { call: one.call, refused: one.kind === 'refused', outcome, text, durationMs };
    for (const gate of gates) gate.finished?.(finished);
    onEnd(finished);
    return finished;
  });
};
