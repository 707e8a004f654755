/** What a tool is: something that a model may call, with a checked input and exactly one outcome. */
import type { ZodType } from 'zod';
import type { ResourceId } from '../../signals/resource.ts';

export type ToolEffect = 'resolve' | 'read' | 'write' | 'ask';

export interface ToolFailure {
  readonly code: string;
  readonly message: string;
  readonly details?: object;
  readonly recoverable?: boolean;
}

export type ToolOutcome =
  | {
      readonly kind: 'ok';
      /** Compact, stable text for the model. */
      readonly text: string;
      /** Evidence ids cited or shown. */
      readonly evidence: readonly string[];
      readonly touched: readonly ResourceId[];
    }
  | { readonly kind: 'error'; readonly error: ToolFailure };

export interface Tool<Context, Input = unknown> {
  readonly name: string;
  readonly effect: ToolEffect;
  readonly changes?: 'findings' | 'infrastructure';
  readonly description: string;
  readonly input: ZodType<Input>;
  readonly timeoutMs: number;
  run(input: Input, context: Context, signal: AbortSignal): Promise<ToolOutcome>;
}

export const defineTool = <Context, Input>(tool: Tool<Context, Input>): Tool<Context, Input> => tool;
