/** Tokens as o200k counts them: the encoding that budgets of the model's half are written in. */
import { countTokens as count } from 'gpt-tokenizer/encoding/o200k_base';

export const countTokens = (text: string): number => count(text);
