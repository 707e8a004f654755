/** Codes of what was asked about findings and declared about resources. */
import type { ErrorMeanings } from './error-meaning.ts';

export const findingErrors = {
  finding_not_found: {
    meaning: 'There is no finding with this id.',
    remedy: 'List the findings; one that was resolved long ago has been forgotten.',
  },
  finding_id_ambiguous: {
    meaning: 'Several findings have an id that begins or ends like this.',
    remedy: 'Give more of the id.',
  },
  finding_action_not_allowed: {
    meaning: 'The finding is in a state in which this can not be done with it.',
    remedy: 'Look at the finding: the message says what stands in the way.',
  },
  invalid_finding_request: {
    meaning: 'What was asked for a finding makes no sense: a duration, a filter, a page, a note.',
    remedy: 'Correct what the message names.',
  },
  request_id_reused: {
    meaning: 'The id of this request was used before, for something else.',
    remedy: 'Give each request an id of its own; repeat an id only to repeat the very same request.',
  },
  suppression_not_found: {
    meaning: 'There is no suppression rule with this id in force.',
    remedy: 'List the suppression rules.',
  },
  operator_state_not_set: {
    meaning: 'Nothing has been declared about this resource.',
    remedy: '`patrold resources declare` declares, `patrold resources declarations` lists what is declared.',
  },
  operator_state_invalid: {
    meaning: 'What was declared about the resource contradicts itself.',
    remedy: 'Correct what the message names.',
  },
} as const satisfies ErrorMeanings;
