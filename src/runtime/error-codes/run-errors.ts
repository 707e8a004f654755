/** Codes of runs, their schedule, scope and sources. */
import type { ErrorMeanings } from './error-meaning.ts';

export const runErrors = {
  source_not_answering: {
    meaning: 'A configured source could not be asked, or its answer was of no use.',
    remedy: 'The message says what was wrong and what to change; the other sources are read all the same.',
  },
  resource_not_found: {
    meaning: 'There is no resource with that id.',
    remedy: '`patrold resources` lists them.',
  },
  scenario_invalid: {
    meaning: 'A scenario of the corpus is not written as scenarios are.',
    remedy:
      'The message names the scenario and the place; what patrold ships is tested, your own may need a correction.',
  },
  scope_invalid: {
    meaning: 'The scope of a run names nothing that a scope can be.',
    remedy: 'Give a resource id, `kind:<kind>`, `source:<id>` or `tag:<tag>`; `patrold resources` lists them.',
  },
  schedule_invalid: {
    meaning: 'A schedule is not a cron expression of five fields, or its time zone does not exist.',
    remedy:
      'Write minute, hour, day, month and weekday, such as `0 */6 * * *`, and an IANA zone such as Europe/Vienna.',
  },
  queue_full: {
    meaning: 'So many runs wait already that no further one is taken.',
    remedy: 'Look at `patrold runs list` for what holds the queue up, and ask again later.',
  },
  run_cancelled: {
    meaning: 'A run was cancelled before it had ended.',
    remedy: 'Nothing: what it had not recorded is looked at again by the next run.',
  },
  run_timed_out: {
    meaning: 'A run took longer than `patrol.runTimeout`.',
    remedy: 'Look at the durations of its stages with `patrold runs show`, and at the source that was slow.',
  },
  lease_lost: {
    meaning: 'Another process took over the right to execute runs.',
    remedy: 'Let one patrold work on a data directory; a machine that was suspended recovers by itself.',
  },
  run_not_found: {
    meaning: 'There is no run with that id.',
    remedy: '`patrold runs list` shows the runs that are kept.',
  },
  source_state_too_large: {
    meaning: 'A source wanted to remember more between two surveys than it may.',
    remedy: 'Report it: this is a defect of patrold; the survey itself was read and judged.',
  },
} as const satisfies ErrorMeanings;
