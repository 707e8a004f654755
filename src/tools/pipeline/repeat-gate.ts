/** Refuses what has been asked often enough: a model that goes round in circles learns nothing new. */

import type { AcceptedCall } from './call.ts';
import { canonicalArguments } from './canonical-arguments.ts';
import type { Gate } from './gate.ts';

/** The same call, by name and arguments, is let through this often; the next one is refused. */
export const SAME_CALL_ALLOWED = 3;

export const createRepeatGate = <Context>(): Gate<Context> => {
  const asked = new Map<string, number>();
  const keyOf = ({ call }: AcceptedCall<Context>): string => `${call.name} ${canonicalArguments(call.arguments)}`;
  return {
    check: (call) =>
      (asked.get(keyOf(call)) ?? 0) >= SAME_CALL_ALLOWED
        ? {
            code: 'loop_detected',
            message: `${call.call.name} was called with the same arguments ${SAME_CALL_ALLOWED} times already; the answer will not change. Ask something else, or finish.`,
            recoverable: true,
          }
        : null,
    accepted: (call) => {
      const key = keyOf(call);
      asked.set(key, (asked.get(key) ?? 0) + 1);
    },
  };
};
