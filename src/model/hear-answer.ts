/** Puts a turn together from the parts that a provider streams. */
import type { LanguageModelV4StreamPart, LanguageModelV4Usage } from '@ai-sdk/provider';
import type { FinishReason, ToolCall, Usage } from './model.ts';
import type { Opaque } from './opaque.ts';
import type { ProviderOptions } from './providers/provider.ts';

export interface Heard {
  readonly text: string;
  /** Text, thoughts and arguments: what an estimate of the output is made from. */
  readonly everything: string;
  readonly toolCalls: readonly ToolCall[];
  /** Null until the provider ended its answer. */
  readonly finish: FinishReason | null;
  /** Null: the provider did not say. */
  readonly usage: Usage | null;
  readonly thoughts: Opaque['thoughts'];
  readonly marks: Pick<Opaque, 'text' | 'calls'>;
}

type Part<T extends LanguageModelV4StreamPart['type']> = Extract<LanguageModelV4StreamPart, { readonly type: T }>;

const FINISH: Readonly<Record<Part<'finish'>['finishReason']['unified'], FinishReason>> = {
  stop: 'stop',
  length: 'length',
  'content-filter': 'content_filter',
  'tool-calls': 'tool_calls',
  error: 'other',
  interrupted: 'other',
  other: 'other',
};

const reported = ({ inputTokens, outputTokens }: LanguageModelV4Usage): Usage | null => {
  if (inputTokens.total === undefined || outputTokens.total === undefined) return null;
  return {
    inputTokens: inputTokens.total,
    outputTokens: outputTokens.total,
    cachedInputTokens: inputTokens.cacheRead ?? 0,
    ...(inputTokens.cacheWrite ? { cacheWriteTokens: inputTokens.cacheWrite } : {}),
    estimated: false,
  };
};

/** How much of arguments that are no JSON is kept, to tell the model what was wrong with them. */
const MALFORMED_CHARACTERS = 2_000;

const readArguments = (input: string): Pick<ToolCall, 'arguments' | 'malformed'> => {
  // A call without arguments: some models write nothing at all.
  if (input.trim() === '') return { arguments: {} };
  try {
    return { arguments: JSON.parse(input) as unknown };
  } catch {
    return { arguments: null, malformed: input.slice(0, MALFORMED_CHARACTERS) };
  }
};

/** The stream ended before the provider said that its answer does. */
export class AnswerCutOff extends Error {
  override readonly name = 'AnswerCutOff';
}

export class Listener {
  readonly #onDelta: (text: string) => void;
  readonly #calls: ToolCall[] = [];
  readonly #thoughts = new Map<string, { text: string; options: ProviderOptions | undefined }>();
  readonly #callMarks: Record<string, ProviderOptions> = {};
  #textMark: ProviderOptions | undefined;
  #text = '';
  #everything = '';
  #finish: FinishReason | null = null;
  #usage: Usage | null = null;

  constructor(onDelta: (text: string) => void) {
    this.#onDelta = onDelta;
  }

  /** Whether the part is a piece of the answer; throws what a provider reports as an error inside its stream. */
  hear(part: LanguageModelV4StreamPart): boolean {
    switch (part.type) {
      case 'text-delta':
        this.#text += part.delta;
        this.#everything += part.delta;
        this.#textMark = part.providerMetadata ?? this.#textMark;
        if (part.delta !== '') this.#onDelta(part.delta);
        return true;
      case 'text-end':
        this.#textMark = part.providerMetadata ?? this.#textMark;
        return true;
      case 'reasoning-start':
      case 'reasoning-delta':
      case 'reasoning-end':
        this.#hearThought(part);
        return true;
      case 'tool-input-delta':
        this.#everything += part.delta;
        return true;
      case 'tool-input-start':
        this.#everything += part.toolName;
        return true;
      case 'tool-call':
        this.#hearCall(part);
        return true;
      case 'finish':
        if (part.finishReason.unified === 'interrupted') throw new AnswerCutOff('the stream ended early');
        this.#finish = FINISH[part.finishReason.unified];
        this.#usage = reported(part.usage);
        return true;
      case 'error':
        throw part.error;
      default:
        return false;
    }
  }

  #hearThought(part: Part<'reasoning-start' | 'reasoning-delta' | 'reasoning-end'>): void {
    const thought = this.#thoughts.get(part.id) ?? { text: '', options: undefined };
    if (part.type === 'reasoning-delta') {
      thought.text += part.delta;
      this.#everything += part.delta;
    }
    if (part.providerMetadata !== undefined) thought.options = { ...thought.options, ...part.providerMetadata };
    this.#thoughts.set(part.id, thought);
  }

  #hearCall(part: Part<'tool-call'>): void {
    const taken = this.#calls.some(({ id }) => id === part.toolCallId);
    const id = part.toolCallId === '' || taken ? `${part.toolCallId}-${this.#calls.length}` : part.toolCallId;
    this.#calls.push({ id, name: part.toolName, ...readArguments(part.input) });
    if (part.providerMetadata !== undefined) this.#callMarks[id] = part.providerMetadata;
  }

  heard(): Heard {
    return {
      text: this.#text,
      everything: this.#everything,
      toolCalls: this.#calls,
      finish: this.#finish,
      usage: this.#usage,
      thoughts: [...this.#thoughts.values()],
      marks: { text: this.#textMark, calls: this.#callMarks },
    };
  }
}
