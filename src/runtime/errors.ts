/** Thrown errors: each carries a stable code that documentation, logs and clients can rely on. */
import type { ErrorMeaning } from './error-meaning.ts';
import { MODEL_ERRORS } from './model-errors.ts';

/** Every code there is; docs/errors.md is made from this. A code is never renamed, and never means another thing. */
export const ERROR_CODES = {
  http_client_invalid: {
    meaning: 'The address or the trust settings of something reached over HTTP can not work as they are written.',
    remedy: 'Correct the URL, fingerprint or credentials that the message names.',
  },
  source_not_answering: {
    meaning: 'A configured source could not be asked, or its answer was of no use.',
    remedy: 'The message says what was wrong and what to change; the other sources are read all the same.',
  },
  wrong_usage: {
    meaning: 'A command was called in a way that it can not work.',
    remedy: '`patrold help <command>` shows how.',
  },
  config_invalid: {
    meaning: 'The config has problems; all of them are listed with their places.',
    remedy: 'Correct them; `patrold check-config` lists what is left.',
  },
  resource_not_found: {
    meaning: 'There is no resource with that id.',
    remedy: '`patrold resources` lists them.',
  },
  config_unreadable: {
    meaning: 'The config file that was named can not be read.',
    remedy: 'Check its path and its rights; it needs to be readable for the user that patrold runs as.',
  },
  token_invalid: {
    meaning: 'A token can not be made like this: its name, its scopes, or there are too many.',
    remedy: 'Correct what the message names; `patrold token list` shows those there are.',
  },
  token_file_unwritable: {
    meaning: 'The token of the first start can not be written to the data directory.',
    remedy: 'Make the data directory writable for the user that patrold runs as, and start again.',
  },
  http_listen_invalid: {
    meaning: 'The address to listen on is not a host and a port.',
    remedy: 'Write `http.listen` as host:port, such as `127.0.0.1:7790` or `[::1]:7790`, or `off`.',
  },
  http_listen_in_use: {
    meaning: 'Something else listens on the address already; perhaps another patrold.',
    remedy: 'Stop it, or set `http.listen` to another port.',
  },
  http_listen_not_permitted: {
    meaning: 'The system does not let patrold listen on that port.',
    remedy: 'Ports below 1024 need a privilege: set `http.listen` to a higher one.',
  },
  http_listen_unavailable: {
    meaning: 'The address to listen on is none of this machine, or its name can not be resolved.',
    remedy: 'Set `http.listen` to an address that `ip address` shows, or to `127.0.0.1:7790`.',
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
  database_unreadable: {
    meaning: 'The database file or its directory can not be opened.',
    remedy: 'Check that the path is a file in a directory which the user that patrold runs as owns.',
  },
  database_not_a_database: {
    meaning: 'The file is not a SQLite database, or is damaged.',
    remedy: 'Move it away, and put a backup in its place (`<path>.before-*.bak`, or one made by `patrold backup`).',
  },
  database_foreign: {
    meaning: 'The file is the SQLite database of another program.',
    remedy: 'Give patrold a data directory of its own.',
  },
  database_read_only: {
    meaning: 'The database can not be written: its file, directory or file system is read-only.',
    remedy: 'Make the data directory writable for the user that patrold runs as.',
  },
  database_full: {
    meaning: 'There is no space left for the database.',
    remedy: 'Free space on the file system of the data directory; nothing that was committed is lost.',
  },
  database_locked: {
    meaning: 'Another process held the database for longer than the busy timeout.',
    remedy: 'Stop the other process, or try again when it is done.',
  },
  database_io: {
    meaning: 'Reading or writing the database failed in the operating system.',
    remedy: 'Look at the kernel log for faults of the disk, and restore a backup if the file is damaged.',
  },
  database_newer: {
    meaning: 'The database was written by a newer patrold.',
    remedy: 'Run that version, or put back the backup that it made before its migration (`<path>.before-*.bak`).',
  },
  database_not_migrated: {
    meaning: 'The database was written by an older patrold, and was opened for reading only.',
    remedy: 'Start this version of patrold once; it backs the database up and migrates it.',
  },
  database_migration_failed: {
    meaning: 'A migration failed and was rolled back: the database is as it was.',
    remedy: 'Run the earlier version, and report the message; the backup is named beside it.',
  },
  ...MODEL_ERRORS,
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
  database_migrations_missing: {
    meaning: "patrold's own migrations can not be read.",
    remedy: 'The installation is incomplete: install patrold again.',
  },
} as const satisfies Readonly<Record<string, ErrorMeaning>>;

export type ErrorCode = keyof typeof ERROR_CODES;

export interface ErrorContext {
  readonly cause?: unknown;
  /** Facts for a log line or a client: paths, counts, names. Never a secret. */
  readonly details?: Readonly<Record<string, string | number | boolean>>;
}

/** The only error that patrold throws on purpose. The message says what happened here; the code says what kind it is. */
export class PatroldError extends Error {
  override readonly name = 'PatroldError';
  readonly code: ErrorCode;
  readonly details: Readonly<Record<string, string | number | boolean>>;

  constructor(code: ErrorCode, message: string, context: ErrorContext = {}) {
    super(message, 'cause' in context ? { cause: context.cause } : undefined);
    this.code = code;
    this.details = context.details ?? {};
  }

  get remedy(): string {
    return ERROR_CODES[this.code].remedy;
  }
}
