/** What a call must pass before it runs; each gate sees the calls accepted before it in the same turn. */
import type { ToolFailure } from '../tool.ts';
import type { AcceptedCall, FinishedCall } from './call.ts';

export interface Gate<Context> {
  /** Null: it may pass. Must not change anything. */
  check(call: AcceptedCall<Context>): ToolFailure | null;
  /** Every gate has let it pass. */
  accepted(call: AcceptedCall<Context>): void;
  /** In the model's order, when all calls of the turn have ended. */
  finished?(call: FinishedCall): void;
}
