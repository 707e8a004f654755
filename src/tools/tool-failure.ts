/** How a tool fails: a closed set of codes, each with what it means. A code is never renamed, and never means another thing. */
import { DATA_NOTE } from './showing/fence.ts';
import type { ToolOutcome } from './tool.ts';

export const toolFailures = {
  resource_not_found: 'There is no such resource in the inventory.',
  resource_ambiguous: 'Several resources have this name; their ids tell them apart.',
  invalid_cursor: 'The cursor belongs to another question, or to none.',
  finding_not_found: 'There is no finding with this id.',
  finding_action_not_allowed:
    'The finding is in a state, or ruled by a detector, so that this can not be done with it.',
  invalid_finding_request: 'What was asked for a finding makes no sense.',
  too_many_findings: 'This run has filed as many findings of its own as one run may.',
  evidence_not_found: 'An evidence id is not one of this run.',
  evidence_elsewhere: 'The evidence belongs to another resource.',
  claim_premature: 'What is claimed has not been observed for long enough; its detector looks again by itself.',
  claim_contradicted: 'A detector looked at fresh evidence of the same thing, and it is clear.',
} as const;

export type ToolFailureCode = keyof typeof toolFailures;

type Failed = Extract<ToolOutcome, { readonly kind: 'error' }>;

/** All of them can be mended by another call. `message` is patrold's own words; what others wrote goes into `details`. */
export const fail = (code: ToolFailureCode, message: string, details?: object): Failed => ({
  kind: 'error',
  error: {
    code,
    message,
    recoverable: true,
    ...(details === undefined ? {} : { details: { note: DATA_NOTE, ...details } }),
  },
});
