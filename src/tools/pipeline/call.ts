/** A call on its way through the three phases: asked for, accepted or refused, finished. */
import type { Tool, ToolFailure, ToolOutcome } from '../tool.ts';

/** As a model wrote it. */
export interface RequestedCall {
  readonly id: string;
  readonly name: string;
  /** Checked by nobody yet. */
  readonly arguments: unknown;
  /** What stood where the arguments should have been, when it was no JSON. */
  readonly malformed?: string;
}

export interface AcceptedCall<Context> {
  readonly kind: 'accepted';
  readonly call: RequestedCall;
  readonly tool: Tool<Context>;
  readonly input: unknown;
}

export interface RefusedCall {
  readonly kind: 'refused';
  readonly call: RequestedCall;
  readonly error: ToolFailure;
}

export type CheckedCall<Context> = AcceptedCall<Context> | RefusedCall;

/** Exactly one for each call, in the model's order. */
export interface FinishedCall {
  readonly call: RequestedCall;
  /** It was not run: what it asked for was not allowed, or made no sense. */
  readonly refused: boolean;
  /** Whole, for whoever works with it; `text` is what the model is shown. */
  readonly outcome: ToolOutcome;
  readonly text: string;
  readonly durationMs: number;
}
