/** How one loop differs from another: which tools are offered, and what it may use. The loop knows nothing else of its purpose. */
import type { Gate } from '../tools/pipeline/gate.ts';
import type { Tool } from '../tools/tool.ts';

export interface Profile<Context> {
  /** For logs, metrics and the transcript: `patrol`, `evaluation`, `sweep`. */
  readonly name: string;
  /** Nothing else exists for the model. */
  readonly tools: readonly Tool<Context>[];
  /** Beside those that every loop has. */
  readonly gates: readonly Gate<Context>[];
  readonly maxTurns: number;
  readonly maxOutputTokens: number;
  readonly maxDurationMs: number;
}
