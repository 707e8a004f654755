/** Arguments that name a finding: resolved in the store, or refused. */
import { z } from 'zod';
import type { Finding } from '../../findings/finding.ts';
import type { FindingStore } from '../../findings/store.ts';
import { PatroldError } from '../runtime/errors.ts';
import type { ToolOutcome } from './tool.ts';
import { fail } from './tool-failure.ts';

export const findingInput = z.string().min(1).max(64).describe('finding id');

type Resolved =
  | { readonly ok: true; readonly finding: Finding }
  | { readonly ok: false; readonly failure: Extract<ToolOutcome, { readonly kind: 'error' }> };

export const resolveFinding = (findings: Pick<FindingStore, 'find'>, typed: string): Resolved => {
  try {
    return { ok: true, finding: findings.find(typed.trim()) };
  } catch (error) {
    if (!(error instanceof PatroldError)) throw error;
    return {
      ok: false,
      failure: fail('finding_not_found', 'There is no such finding: patrol_get_findings lists them.'),
    };
  }
};
