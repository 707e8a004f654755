/** Every provider there is. */
import { anthropic } from './anthropic.ts';
import { google } from './google.ts';
import { openai } from './openai.ts';
import { openaiCompatible } from './openai-compatible.ts';
import type { Provider } from './provider.ts';

export const providers: readonly Provider[] = [anthropic, openai, google, openaiCompatible];
