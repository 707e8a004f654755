/** Phase 2: what was accepted, beside each other where nothing speaks against it. A tool can fail, and never throws out. */
import pLimit from 'p-limit';
import type { Clock } from '../../runtime/clock.ts';
import { settle } from '../../runtime/settle.ts';
import type { ToolFailure, ToolOutcome } from '../tool.ts';
import type { AcceptedCall } from './call.ts';

export const TOOLS_AT_ONCE = 4;

/** Reads what calls that file change: beside them it would see either. */
const READS_FINDINGS = 'patrol_get_findings';

const MESSAGE_LENGTH = 300;

export interface ExecuteDeps<Context> {
  readonly context: Context;
  readonly clock: Pick<Clock, 'monotonicMs'>;
  readonly onBegin: (call: AcceptedCall<Context>) => void;
  /** Hears of a tool that threw: a fault of ours. */
  readonly onThrow: (call: AcceptedCall<Context>, error: unknown) => void;
}

export interface Executed {
  readonly outcome: ToolOutcome;
  readonly durationMs: number;
}

/** One after the other, in the model's order. */
export const inOrder = <Context>(calls: readonly AcceptedCall<Context>[]): boolean => {
  const changes = new Set(calls.map(({ tool }) => tool.changes));
  if (changes.has('infrastructure')) return true;
  return changes.has('findings') && calls.some(({ tool }) => tool.name === READS_FINDINGS);
};

const failed = (code: string, message: string): ToolOutcome => {
  const error: ToolFailure = { code, message: message.slice(0, MESSAGE_LENGTH), recoverable: true };
  return { kind: 'error', error };
};

const execute = async <Context>(
  call: AcceptedCall<Context>,
  { context, clock, onBegin, onThrow }: ExecuteDeps<Context>,
  outer: AbortSignal,
): Promise<Executed> => {
  const begun = clock.monotonicMs();
  const ended = (outcome: ToolOutcome): Executed => ({ outcome, durationMs: clock.monotonicMs() - begun });
  if (outer.aborted) return ended(failed('cancelled', 'the run was cancelled before the tool ran'));
  const { tool, input } = call;
  const late = new AbortController();
  const timer = setTimeout(() => late.abort(new Error('late')), tool.timeoutMs);
  onBegin(call);
  try {
    const signal = AbortSignal.any([outer, late.signal]);
    const work = Promise.resolve().then(() => tool.run(input, context, signal));
    return ended(await settle(work, signal));
  } catch (error) {
    if (outer.aborted) return ended(failed('cancelled', 'the run was cancelled while the tool ran'));
    if (late.signal.aborted) return ended(failed('timed_out', `no answer within ${tool.timeoutMs / 1000} s`));
    onThrow(call, error);
    return ended(failed('tool_failed', 'the tool itself failed; what it would have said is not known'));
  } finally {
    clearTimeout(timer);
  }
};

/** A result for each call, however they interleave. */
export const executeCalls = async <Context>(
  calls: readonly AcceptedCall<Context>[],
  deps: ExecuteDeps<Context>,
  signal: AbortSignal,
): Promise<ReadonlyMap<AcceptedCall<Context>, Executed>> => {
  const limit = pLimit(inOrder(calls) ? 1 : TOOLS_AT_ONCE);
  const executed = await Promise.all(
    calls.map((call) => limit(async () => [call, await execute(call, deps, signal)] as const)),
  );
  return new Map(executed);
};
