/** The section `model:`: which language model looks around, what it may cost, and what it may be told. */
import { z } from 'zod';
import { normalizeFingerprint } from '../runtime/http-tls.ts';
import { createSecret } from '../runtime/secret.ts';
import { duration } from './duration.ts';

const file = z.string().min(1).max(4_096);
const tokens = z.int().min(1_000).max(1_000_000_000_000);
const usd = z.number().positive().max(1_000_000);
const usdPerMillion = z.number().min(0).max(10_000);

const baseUrl = z
  .url({ protocol: /^https?$/, error: 'must be a URL such as http://127.0.0.1:11434/v1' })
  .max(2_000)
  .refine(
    (text) => !URL.canParse(text) || (new URL(text).username === '' && new URL(text).search === ''),
    'must hold neither a user nor a query: use apiKeyFile',
  );

/** A window of tokens or money that is not set has no limit of its own. */
const budget = z
  .strictObject({
    tokensPerRun: tokens.default(200_000).describe('input and output of one run; the run goes on without the model'),
    tokensPerDay: tokens.default(2_000_000).describe('of any 24 hours'),
    usdPerRun: usd.optional().describe('needs a known price'),
    usdPerDay: usd.optional().describe('of any 24 hours; needs a known price'),
    usdPer30Days: usd.optional().describe('of any 30 days; needs a known price'),
  })
  .prefault({});

const timeouts = z
  .strictObject({
    firstToken: duration({ atLeastMs: 1_000, atMostMs: 3_600_000 })
      .default(180_000)
      .describe('until an answer begins; a local model that has to be loaded takes its time'),
    idle: duration({ atLeastMs: 1_000, atMostMs: 3_600_000 }).default(60_000).describe('silence inside an answer'),
    total: duration({ atLeastMs: 1_000, atMostMs: 3_600_000 })
      .default(600_000)
      .describe('one turn in all, its retries included'),
  })
  .prefault({});

const prices = z
  .strictObject({
    inputUsd: usdPerMillion.describe('per million tokens'),
    outputUsd: usdPerMillion.describe('per million tokens'),
    cachedInputUsd: usdPerMillion.optional().describe('per million tokens read from the cache; default: as input'),
    cacheWriteUsd: usdPerMillion.optional().describe('per million tokens written to the cache; default: as input'),
  })
  .optional()
  .describe('what the model costs, where patrold does not know it or you pay something else');

const HOSTED = ['anthropic', 'openai', 'google'] as const;

export const modelConfigSchema = z
  .strictObject({
    provider: z
      .enum(['none', ...HOSTED, 'openai-compatible'])
      .default('none')
      .describe(
        '`none` for patrols without a model; `openai-compatible` for Ollama, llama.cpp, vLLM, OpenRouter, DeepSeek',
      ),
    name: z.string().min(1).max(256).optional().describe('the model, as the provider calls it'),
    baseUrl: baseUrl
      .optional()
      .describe('where it answers, with `/v1` where the server has it; default: the provider’s own'),
    apiKey: z
      .string()
      .min(1)
      .max(16_384)
      .transform(createSecret)
      .optional()
      .describe('better in apiKeyFile, or as ${NAME} of an environment variable'),
    apiKeyFile: file.optional().describe('file that holds the key'),
    caFile: file.optional().describe('CA that signed its certificate'),
    fingerprint: z
      .string()
      .refine((text) => normalizeFingerprint(text) !== null, 'must be a SHA-256: 64 hex digits, colons allowed')
      .optional()
      .describe('SHA-256 of its own certificate, trusted instead of a CA'),
    contextTokens: z
      .int()
      .min(2_048)
      .max(100_000_000)
      .optional()
      .describe('what a request and its answer must fit into; default: what patrold knows of the model, else 32768'),
    replaceNames: z
      .boolean()
      .default(false)
      .describe('send stable aliases in place of names and addresses, and turn them back in what comes home'),
    budget,
    timeouts,
    prices,
  })
  .superRefine((config, context) => {
    const problem = (path: string, message: string): void => {
      context.addIssue({ code: 'custom', path: [path], message });
    };
    if (config.provider === 'none') return;
    if (config.name === undefined) problem('name', 'is missing: name the model');
    if (config.provider === 'openai-compatible' && config.baseUrl === undefined)
      problem('baseUrl', 'is missing: where does the server answer?');
    const hasKey = config.apiKey !== undefined || config.apiKeyFile !== undefined;
    if (HOSTED.some((hosted) => hosted === config.provider) && !hasKey)
      problem('apiKeyFile', `is missing: ${config.provider} asks for a key`);
    if (config.apiKey !== undefined && config.apiKeyFile !== undefined)
      problem('apiKeyFile', 'can not stand beside apiKey');
    const isHttps = config.baseUrl?.startsWith('https:') ?? true;
    for (const name of ['caFile', 'fingerprint'] as const)
      if (config[name] !== undefined && !isHttps) problem(name, 'is of use only with an https URL');
  })
  .prefault({});

export type ModelConfig = z.output<typeof modelConfigSchema>;
