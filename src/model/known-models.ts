/**
 * What hosted models cost and hold, as far as patrold knows. A model that is not here has no known price: limits in
 * tokens hold for it, limits in money need `model.prices`. Prices change; those of the config win over these.
 *
 * Sources, as read in November 2026: platform.claude.com/docs/en/about-claude/pricing and the pages of its models;
 * developers.openai.com/api/docs/pricing; ai.google.dev/gemini-api/docs/pricing. Windows of context: the same, and for older models
 * the catalogue models.dev of July 2026. Standard tariff, text, without discounts for batches or promises.
 */
import type { ProviderType } from './providers/provider.ts';

/** US dollars for a million tokens. */
export interface Price {
  readonly inputUsd: number;
  readonly outputUsd: number;
  readonly cachedInputUsd: number;
  /** What is written to the cache costs this instead of the input price. */
  readonly cacheWriteUsd: number;
}

export interface KnownModel {
  readonly price: Price;
  /** Where longer requests have another tariff, only up to there, so that the price holds. */
  readonly contextTokens: number;
}

const known = (
  inputUsd: number,
  outputUsd: number,
  cachedInputUsd: number,
  contextTokens: number,
  cacheWriteUsd = inputUsd,
): KnownModel => ({ price: { inputUsd, outputUsd, cachedInputUsd, cacheWriteUsd }, contextTokens });

/** Anthropic charges a quarter more for what is written to its five-minute cache. */
const claude = (inputUsd: number, outputUsd: number, cachedInputUsd: number, contextTokens: number): KnownModel =>
  known(inputUsd, outputUsd, cachedInputUsd, contextTokens, 1.25 * inputUsd);

const ANTHROPIC: Readonly<Record<string, KnownModel>> = {
  'claude-fable-5-1': claude(10, 50, 0.25, 1_000_000),
  'claude-fable-5': claude(10, 50, 1, 1_000_000),
  'claude-opus-5-5': claude(4, 20, 0.2, 1_000_000),
  'claude-opus-5': claude(5, 25, 0.5, 1_000_000),
  'claude-opus-4-8': claude(5, 25, 0.5, 1_000_000),
  'claude-opus-4-7': claude(5, 25, 0.5, 1_000_000),
  'claude-opus-4-6': claude(5, 25, 0.5, 1_000_000),
  'claude-opus-4-5': claude(5, 25, 0.5, 200_000),
  'claude-opus-4-1': claude(15, 75, 1.5, 200_000),
  'claude-sonnet-5-5': claude(2, 10, 0.1, 1_000_000),
  'claude-sonnet-5': claude(2, 10, 0.2, 1_000_000),
  'claude-sonnet-4-6': claude(3, 15, 0.3, 1_000_000),
  'claude-sonnet-4-5': claude(3, 15, 0.3, 200_000),
  // Five times as much above 100,000 tokens.
  'claude-haiku-5-5': claude(0.1, 0.5, 0.01, 100_000),
  'claude-haiku-4-5': claude(1, 5, 0.1, 200_000),
};

/** Above 272,000 tokens of input the larger ones have another tariff. */
const OPENAI_SHORT = 272_000;

const OPENAI: Readonly<Record<string, KnownModel>> = {
  'gpt-6.1-sol': known(2, 10, 0.1, OPENAI_SHORT, 2.5),
  'gpt-6-astra': known(10, 50, 1, OPENAI_SHORT),
  'gpt-6-sol': known(2, 10, 0.2, OPENAI_SHORT, 2.5),
  'gpt-6-luna': known(0.1, 0.5, 0.01, OPENAI_SHORT, 0.125),
  'gpt-5.6-terra': known(2, 12, 0.2, OPENAI_SHORT),
  'gpt-5.6-luna': known(0.2, 1.2, 0.02, OPENAI_SHORT),
  'gpt-5.5': known(5, 30, 0.5, OPENAI_SHORT),
  'gpt-5.4': known(2.5, 15, 0.25, OPENAI_SHORT),
  'gpt-5.4-mini': known(0.75, 4.5, 0.075, OPENAI_SHORT),
  'gpt-5.4-nano': known(0.2, 1.25, 0.02, OPENAI_SHORT),
  'gpt-5.2': known(1.75, 14, 0.175, OPENAI_SHORT),
  'gpt-5.1': known(1.25, 10, 0.125, OPENAI_SHORT),
  'gpt-5': known(1.25, 10, 0.125, OPENAI_SHORT),
  'gpt-5-mini': known(0.25, 2, 0.025, OPENAI_SHORT),
  'gpt-5-nano': known(0.05, 0.4, 0.005, OPENAI_SHORT),
  'gpt-4.1': known(2, 8, 0.5, 1_047_576),
  'gpt-4.1-mini': known(0.4, 1.6, 0.1, 1_047_576),
  'gpt-4.1-nano': known(0.1, 0.4, 0.025, 1_047_576),
  'gpt-4o': known(2.5, 10, 1.25, 128_000),
  'gpt-4o-mini': known(0.15, 0.6, 0.075, 128_000),
};

const GOOGLE: Readonly<Record<string, KnownModel>> = {
  // Twice as much for input above 200,000 tokens.
  'gemini-3.1-pro-preview': known(2, 12, 0.2, 200_000),
  'gemini-2.5-pro': known(1.25, 10, 0.125, 200_000),
  'gemini-3.5-flash': known(1.5, 9, 0.15, 1_048_576),
  'gemini-3.1-flash-lite': known(0.25, 1.5, 0.025, 1_048_576),
  'gemini-2.5-flash': known(0.3, 2.5, 0.03, 1_048_576),
  'gemini-2.5-flash-lite': known(0.1, 0.4, 0.01, 1_048_576),
};

/** Whoever runs or resells models for others sets their own prices and windows. */
const MODELS: Readonly<Record<ProviderType, Readonly<Record<string, KnownModel>>>> = {
  anthropic: ANTHROPIC,
  openai: OPENAI,
  google: GOOGLE,
  'openai-compatible': {},
};

/** `claude-haiku-4-5-20251001`, `gpt-4o-2024-08-06`: a dated edition costs what its model does. */
const EDITION = /-(?:\d{8}|\d{4}-\d{2}-\d{2})$/;

/** Null: it is not known, by exactly this name. One that only looks alike can cost ten times as much. */
export const knownModel = (provider: ProviderType, name: string): KnownModel | null => {
  const models = MODELS[provider];
  const plain = name.replace(EDITION, '');
  return Object.hasOwn(models, plain) ? (models[plain] ?? null) : null;
};
