/** Phase 1: each call in the model's order, before anything runs. */
import { z } from 'zod';
import type { Tool, ToolFailure } from '../tool.ts';
import type { AcceptedCall, CheckedCall, RequestedCall } from './call.ts';
import type { Gate } from './gate.ts';

/** Calls of one turn; what is beyond is refused, not forgotten. */
export const CALLS_A_TURN = 16;

const MESSAGE_LENGTH = 500;

const malformed = (): ToolFailure => ({
  code: 'invalid_arguments',
  message: 'the arguments are no JSON object: call the tool again with one',
  recoverable: true,
});

const unknown = <Context>(name: string, tools: ReadonlyMap<string, Tool<Context>>): ToolFailure => ({
  code: 'capability_not_found',
  message: `there is no tool ${JSON.stringify(name.slice(0, 80))}; the tools are ${[...tools.keys()].join(', ')}`,
  recoverable: true,
});

const invalid = (error: z.ZodError): ToolFailure => ({
  code: 'invalid_arguments',
  message: z.prettifyError(error).slice(0, MESSAGE_LENGTH),
  recoverable: true,
});

const tooMany = (): ToolFailure => ({
  code: 'too_many_calls',
  message: `at most ${CALLS_A_TURN} tools can be called in one turn: call it again in the next one`,
  recoverable: true,
});

export const checkCalls = <Context>(
  calls: readonly RequestedCall[],
  tools: ReadonlyMap<string, Tool<Context>>,
  gates: readonly Gate<Context>[],
): readonly CheckedCall<Context>[] => {
  const check = (call: RequestedCall, index: number): AcceptedCall<Context> | ToolFailure => {
    if (index >= CALLS_A_TURN) return tooMany();
    const tool = tools.get(call.name);
    if (tool === undefined) return unknown(call.name, tools);
    if (call.malformed !== undefined) return malformed();
    const input = tool.input.safeParse(call.arguments ?? {});
    if (!input.success) return invalid(input.error);
    const accepted: AcceptedCall<Context> = { kind: 'accepted', call, tool, input: input.data };
    for (const gate of gates) {
      const refusal = gate.check(accepted);
      if (refusal !== null) return refusal;
    }
    for (const gate of gates) gate.accepted(accepted);
    return accepted;
  };
  return calls.map((call, index) => {
    const checked = check(call, index);
    return 'kind' in checked ? checked : { kind: 'refused', call, error: checked };
  });
};
