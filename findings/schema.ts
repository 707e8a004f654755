/** Tables of findings and of what operators decided about them. Only findings/ reads and writes them. */
import { index, integer, primaryKey, sql, sqliteTable, text, uniqueIndex } from '../src/runtime/drizzle.ts';

export const findings = sqliteTable(
  'findings',
  {
    id: text('id').primaryKey(),
    resourceId: text('resource_id').notNull(),
    key: text('key').notNull(),
    /** What stands before the first colon of the key. */
    keyType: text('key_type').notNull(),
    detector: text('detector'),
    filedBy: text('filed_by').notNull(),
    /** Position in SEVERITIES, so that it sorts. */
    severityRank: integer('severity_rank').notNull(),
    category: text('category').notNull(),
    title: text('title').notNull(),
    summary: text('summary').notNull(),
    explanation: text('explanation'),
    clearsWhen: text('clears_when'),
    /** JSON, like `details`, `source_ids`, `evidence`, `disposition_data`, `stale`, `absence`, `resolution`, `investigation`, `last_fix`. */
    level: text('level'),
    details: text('details').notNull(),
    sourceIds: text('source_ids').notNull(),
    evidence: text('evidence'),
    declineReason: text('decline_reason'),
    state: text('state').notNull(),
    /** Since when it is in that state. */
    stateAtMs: integer('state_at_ms').notNull(),
    disposition: text('disposition').notNull(),
    dispositionData: text('disposition_data'),
    suppressionId: text('suppression_id'),
    /** When time alone will change it. */
    wakesAtMs: integer('wakes_at_ms'),
    stale: text('stale'),
    absence: text('absence'),
    foldedUnder: text('folded_under'),
    resolution: text('resolution'),
    /** 1: closed by hand, and no look has confirmed it yet. */
    awaitsClear: integer('awaits_clear').notNull(),
    episode: integer('episode').notNull(),
    regressions: integer('regressions').notNull(),
    firstSeenAtMs: integer('first_seen_at_ms').notNull(),
    openedAtMs: integer('opened_at_ms').notNull(),
    sinceMs: integer('since_ms').notNull(),
    lastSeenAtMs: integer('last_seen_at_ms').notNull(),
    lastSignalAtMs: integer('last_signal_at_ms'),
    investigation: text('investigation').notNull(),
    lastFix: text('last_fix'),
  },
  (table) => [
    uniqueIndex('findings_identity').on(table.resourceId, table.key),
    index('findings_by_severity').on(table.state, table.severityRank, table.stateAtMs, table.id),
    index('findings_by_time').on(table.state, table.stateAtMs, table.id),
    index('findings_by_key').on(table.keyType, table.state, table.severityRank, table.stateAtMs, table.id),
    index('findings_suppressed').on(table.suppressionId).where(sql`${table.suppressionId} is not null`),
    index('findings_waking').on(table.wakesAtMs).where(sql`${table.wakesAtMs} is not null`),
    index('findings_awaiting_clear').on(table.awaitsClear).where(sql`${table.awaitsClear} = 1`),
  ],
);

/** Ids of findings that were merged into another one: links to them still lead somewhere, and their history is its. */
export const findingAliases = sqliteTable(
  'finding_aliases',
  {
    id: text('id').primaryKey(),
    findingId: text('finding_id').notNull(),
    atMs: integer('at_ms').notNull(),
  },
  (table) => [index('finding_aliases_of').on(table.findingId)],
);

export const episodes = sqliteTable(
  'episodes',
  {
    findingId: text('finding_id').notNull(),
    number: integer('number').notNull(),
    filedBy: text('filed_by').notNull(),
    startedAtMs: integer('started_at_ms').notNull(),
    endedAtMs: integer('ended_at_ms'),
    endedBy: text('ended_by'),
    reason: text('reason'),
    worstRank: integer('worst_rank').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.findingId, table.number] }),
    uniqueIndex('episodes_open').on(table.findingId).where(sql`${table.endedAtMs} is null`),
    index('episodes_ended').on(table.endedAtMs).where(sql`${table.endedAtMs} is not null`),
  ],
);

/** Append-only: triggers refuse every update, and every delete but retention's (see `history_pruning`). */
export const findingHistory = sqliteTable(
  'finding_history',
  {
    seq: integer('seq').primaryKey(),
    findingId: text('finding_id').notNull(),
    episode: integer('episode').notNull(),
    atMs: integer('at_ms').notNull(),
    kind: text('kind').notNull(),
    actorKind: text('actor_kind').notNull(),
    actorName: text('actor_name'),
    reason: text('reason'),
    data: text('data'),
    runId: text('run_id'),
    requestId: text('request_id'),
  },
  (table) => [index('finding_history_of').on(table.findingId)],
);

/**
 * The one way to delete history: a row here, within the same transaction, lets rows of `finding_id` older than
 * `before_ms` go. Retention puts it in, deletes, and takes it out again; no committed state ever holds one.
 */
export const historyPruning = sqliteTable('history_pruning', {
  findingId: text('finding_id').primaryKey(),
  beforeMs: integer('before_ms').notNull(),
});

/** Readings that findings cite, as they were. */
export const evidence = sqliteTable(
  'evidence',
  {
    findingId: text('finding_id').notNull(),
    runId: text('run_id').notNull(),
    readingId: text('reading_id').notNull(),
    sourceId: text('source_id').notNull(),
    kind: text('kind').notNull(),
    takenAtMs: integer('taken_at_ms').notNull(),
    /** JSON; null: larger than is kept. */
    body: text('body'),
    /** 1: history tells of what it showed. 0: only the newest look stands on it. */
    told: integer('told').notNull(),
  },
  (table) => [primaryKey({ columns: [table.findingId, table.runId, table.readingId] })],
);

/** What models said of known findings, one row for each run that asked. */
export const assessments = sqliteTable(
  'assessments',
  {
    findingId: text('finding_id').notNull(),
    runId: text('run_id').notNull(),
    episode: integer('episode').notNull(),
    verdict: text('verdict').notNull(),
    reason: text('reason').notNull(),
    /** JSON list of evidence ids of that run. */
    evidence: text('evidence').notNull(),
    by: text('by'),
    atMs: integer('at_ms').notNull(),
  },
  (table) => [primaryKey({ columns: [table.findingId, table.runId] }), index('assessments_of_run').on(table.runId)],
);

/** How many findings there are of each sort; kept by triggers. */
export const findingCounts = sqliteTable(
  'finding_counts',
  {
    state: text('state').notNull(),
    severityRank: integer('severity_rank').notNull(),
    disposition: text('disposition').notNull(),
    category: text('category').notNull(),
    count: integer('count').notNull(),
  },
  (table) => [primaryKey({ columns: [table.state, table.severityRank, table.disposition, table.category] })],
);

/** Requests that were carried out, so that a client which asks again after a crash changes nothing twice. */
export const findingRequests = sqliteTable(
  'finding_requests',
  {
    id: text('id').primaryKey(),
    /** What was asked, to tell a repetition from a reused id. */
    fingerprint: text('fingerprint').notNull(),
    /** The finding, rule or resource that the answer was about. */
    subjectId: text('subject_id').notNull(),
    atMs: integer('at_ms').notNull(),
  },
  (table) => [index('finding_requests_age').on(table.atMs)],
);

/** Instants that have to outlive a restart. */
export const findingMarks = sqliteTable('finding_marks', {
  name: text('name').primaryKey(),
  atMs: integer('at_ms').notNull(),
});

export const suppressions = sqliteTable(
  'suppressions',
  {
    id: text('id').primaryKey(),
    resourceId: text('resource_id').notNull(),
    matchKind: text('match_kind').notNull(),
    matchValue: text('match_value').notNull(),
    createdBy: text('created_by').notNull(),
    reason: text('reason'),
    createdAtMs: integer('created_at_ms').notNull(),
    removedAtMs: integer('removed_at_ms'),
    removedBy: text('removed_by'),
  },
  (table) => [
    uniqueIndex('suppressions_in_force')
      .on(table.resourceId, table.matchKind, table.matchValue)
      .where(sql`${table.removedAtMs} is null`),
  ],
);

export const operatorState = sqliteTable('operator_state', {
  resourceId: text('resource_id').primaryKey(),
  maintenanceFromMs: integer('maintenance_from_ms'),
  maintenanceUntilMs: integer('maintenance_until_ms'),
  expectedOffline: integer('expected_offline').notNull(),
  muted: integer('muted').notNull(),
  retired: integer('retired').notNull(),
  neverAutoRemediate: integer('never_auto_remediate').notNull(),
  criticality: text('criticality').notNull(),
  note: text('note'),
});

/** Append-only, by triggers. */
export const operatorStateHistory = sqliteTable(
  'operator_state_history',
  {
    seq: integer('seq').primaryKey(),
    resourceId: text('resource_id').notNull(),
    atMs: integer('at_ms').notNull(),
    kind: text('kind').notNull(),
    actorKind: text('actor_kind').notNull(),
    actorName: text('actor_name'),
    reason: text('reason'),
    /** JSON: the whole state afterwards; null: nothing is declared any more. */
    state: text('state'),
    /** Of `moved`: the resource that it was declared about before. */
    movedFrom: text('moved_from'),
    requestId: text('request_id'),
  },
  (table) => [index('operator_state_history_of').on(table.resourceId)],
);
