/** What happens in a loop, as it happens: for progress on a terminal, and for streams. */
import type { Usage } from '../model/model.ts';
import type { LoopEnd } from './loop-end.ts';

export type LoopEvent =
  | { readonly kind: 'turn_begun'; readonly turn: number; readonly maxTurns: number }
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'tool_begun'; readonly tool: string }
  | {
      readonly kind: 'tool_ended';
      readonly tool: string;
      /** Null: it succeeded. */
      readonly error: string | null;
      readonly refused: boolean;
      readonly durationMs: number;
    }
  | { readonly kind: 'used'; readonly usage: Usage }
  | { readonly kind: 'corrected'; readonly why: 'printed_call' | 'cut_off' }
  | { readonly kind: 'loop_ended'; readonly end: LoopEnd };

export type OnLoopEvent = (event: LoopEvent) => void;
