/** How a model says that a signal is no finding, and why: it is filed all the same, and the reason is kept on it. */
import { z } from 'zod';
import type { Signal } from '../../../signals/detector.ts';
import type { Tool } from '../../tools/tool.ts';

const REASON_LENGTH = 500;

/** `signals`: by the label that the model was shown. Made for each pass. */
export const createDeclineTool = (
  signals: ReadonlyMap<string, Signal>,
  decline: (signal: Signal, reason: string) => void,
): Tool<unknown> => {
  const tool: Tool<unknown, { readonly signal: string; readonly reason: string }> = {
    name: 'patrol_decline_signal',
    effect: 'write',
    changes: 'findings',
    description: 'Say why a signal is no problem. It is filed nevertheless, with your reason.',
    input: z.strictObject({
      signal: z.string().max(12).describe('s1, s2, …'),
      reason: z.string().min(10).max(REASON_LENGTH),
    }),
    timeoutMs: 5_000,
    run: async ({ signal: label, reason }) => {
      const signal = signals.get(label);
      if (signal === undefined) {
        const message = `there is no signal ${JSON.stringify(label)}: they are ${[...signals.keys()].join(', ')}`;
        return { kind: 'error', error: { code: 'invalid_finding_request', message, recoverable: true } };
      }
      decline(signal, reason);
      return { kind: 'ok', text: `Noted for ${label}.`, evidence: [], touched: [signal.resourceId] };
    },
  };
  // Its input is checked by its own schema before it runs.
  return tool as unknown as Tool<unknown>;
};
