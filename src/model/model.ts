/** What the rest of patrold knows of language models: one turn of a conversation with tools, and what it used. */

export interface ToolSpec {
  readonly name: string;
  readonly description: string;
  /** A JSON schema, draft 2020-12 or 7. */
  readonly inputSchema: object;
}

export interface ToolCall {
  /** Unique within its turn; the reply names it. */
  readonly id: string;
  /** As the model wrote it: it may name a tool that was never offered. */
  readonly name: string;
  /** Parsed JSON, checked by nobody yet; null where `malformed` is set. */
  readonly arguments: unknown;
  /** What stood where the arguments should have been, when it was no JSON. */
  readonly malformed?: string;
}

export interface ToolReply {
  readonly callId: string;
  readonly name: string;
  readonly text: string;
  readonly isError: boolean;
}

export type ModelMessage =
  | { readonly role: 'user'; readonly text: string }
  | {
      readonly role: 'assistant';
      readonly text: string;
      readonly toolCalls: readonly ToolCall[];
      /** As the turn brought it: what a provider wants to see again, such as signatures of its thinking. */
      readonly opaque?: unknown;
    }
  /** Exactly one reply for each call of the assistant message before it, in its order. */
  | { readonly role: 'tool'; readonly replies: readonly ToolReply[] };

export interface ModelRequest {
  readonly system: string;
  readonly messages: readonly ModelMessage[];
  readonly tools: readonly ToolSpec[];
  readonly maxOutputTokens: number;
}

export interface Usage {
  /** All that was sent, what the provider had cached included. */
  readonly inputTokens: number;
  readonly outputTokens: number;
  /** Of the input, what the provider had kept from an earlier turn. */
  readonly cachedInputTokens: number;
  /** Of the input, what the provider keeps for later turns and charges more for; absent where it does not. */
  readonly cacheWriteTokens?: number;
  /** Counted by patrold from the texts, because the provider did not say. */
  readonly estimated: boolean;
}

export type FinishReason = 'stop' | 'tool_calls' | 'length' | 'content_filter' | 'other';

export interface ModelTurn {
  readonly text: string;
  readonly toolCalls: readonly ToolCall[];
  readonly finish: FinishReason;
  /** Of the attempt that succeeded; `onUsage` has heard of it already. */
  readonly usage: Usage;
  readonly opaque?: unknown;
}

export interface TurnOptions {
  readonly signal: AbortSignal;
  /** Hears text as it streams; of an attempt that fails later too. */
  readonly onDelta?: (text: string) => void;
  /** Told once for each attempt that reached the provider, whether it succeeded, failed or was aborted. */
  readonly onUsage: (usage: Usage) => void;
}

export interface Model {
  readonly provider: string;
  readonly name: string;
  /** What the whole request and its answer must fit into. */
  readonly contextTokens: number;
  /** One turn, with retries inside. Rejects with a `ModelFailure` and nothing else. */
  turn(request: ModelRequest, options: TurnOptions): Promise<ModelTurn>;
}
