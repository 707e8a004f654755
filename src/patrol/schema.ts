/** Tables of runs, their stages, and the queue that they are taken from. */
import { index, integer, primaryKey, real, sqliteTable, text, uniqueIndex } from '../runtime/drizzle.ts';

export const runs = sqliteTable(
  'runs',
  {
    id: text('id').primaryKey(),
    requestId: text('request_id').notNull(),
    kind: text('kind').notNull(),
    trigger: text('trigger').notNull(),
    scope: text('scope'),
    state: text('state').notNull(),
    /** One word for people; null until the run has ended. */
    status: text('status'),
    reason: text('reason'),
    startedAtMs: integer('started_at_ms').notNull(),
    durationMs: real('duration_ms'),
    coverage: text('coverage'),
    /** Signals and unobserved checks, as `patrold run --json` prints them. */
    report: text('report'),
    cancelRequestedAtMs: integer('cancel_requested_at_ms'),
  },
  (table) => [index('runs_started').on(table.startedAtMs), index('runs_state').on(table.state)],
);

export const runStages = sqliteTable(
  'run_stages',
  {
    runId: text('run_id').notNull(),
    position: integer('position').notNull(),
    name: text('name').notNull(),
    status: text('status').notNull(),
    reason: text('reason'),
    durationMs: real('duration_ms').notNull(),
  },
  (table) => [primaryKey({ columns: [table.runId, table.position] })],
);

/** Watches that changed nothing are counted here, by day, instead of kept as runs. */
export const quietWatches = sqliteTable('quiet_watches', {
  /** `YYYY-MM-DD`, UTC. */
  day: text('day').primaryKey(),
  count: integer('count').notNull(),
  lastAtMs: integer('last_at_ms').notNull(),
  lastStatus: text('last_status').notNull(),
});

export const runRequests = sqliteTable(
  'run_requests',
  {
    id: text('id').primaryKey(),
    kind: text('kind').notNull(),
    trigger: text('trigger').notNull(),
    scope: text('scope'),
    priority: integer('priority').notNull(),
    requestedAtMs: integer('requested_at_ms').notNull(),
    state: text('state').notNull(),
    /** How many further requests this one stands for. */
    merged: integer('merged').notNull().default(0),
    /** Runs that were started for it; one that a crash cut short is tried again once. */
    attempts: integer('attempts').notNull().default(0),
    runId: text('run_id'),
    reason: text('reason'),
  },
  (table) => [index('run_requests_next').on(table.state, table.priority, table.requestedAtMs)],
);

/** Who may execute runs; one row at most. */
export const runLease = sqliteTable(
  'run_lease',
  {
    name: text('name').primaryKey(),
    holder: text('holder').notNull(),
    /** Boot, pid namespace and pid of the holder: where all can be checked, a dead holder is known at once. */
    process: text('process').notNull(),
    heartbeatAtMs: integer('heartbeat_at_ms').notNull(),
  },
  (table) => [uniqueIndex('run_lease_holder').on(table.holder)],
);
