/** Tables of what is known about the infrastructure between runs. */
import { index, integer, primaryKey, real, sqliteTable, text } from '../runtime/drizzle.ts';

export const resources = sqliteTable(
  'resources',
  {
    id: text('id').primaryKey(),
    kind: text('kind').notNull(),
    name: text('name').notNull(),
    parentId: text('parent_id'),
    status: text('status').notNull(),
    sourceIds: text('source_ids').notNull(),
    tags: text('tags').notNull(),
    expects: text('expects').notNull(),
    facts: text('facts').notNull(),
    firstSeenAtMs: integer('first_seen_at_ms').notNull(),
    seenAtMs: integer('seen_at_ms').notNull(),
    /** Complete lists of its owner, in a row, that no longer held it. */
    absentLooks: integer('absent_looks').notNull().default(0),
    goneAtMs: integer('gone_at_ms'),
  },
  (table) => [index('resources_parent').on(table.parentId), index('resources_gone').on(table.goneAtMs)],
);

/** Every name a resource ever had, so that its identity survives renames. */
export const aliases = sqliteTable(
  'aliases',
  {
    key: text('key').primaryKey(),
    resourceId: text('resource_id').notNull(),
    strength: text('strength').notNull(),
    seenAtMs: integer('seen_at_ms').notNull(),
  },
  (table) => [index('aliases_resource').on(table.resourceId)],
);

/** Past values of metrics whose source keeps no history itself. */
export const samples = sqliteTable(
  'samples',
  {
    resourceId: text('resource_id').notNull(),
    metric: text('metric').notNull(),
    atMs: integer('at_ms').notNull(),
    value: real('value').notNull(),
    windowMs: integer('window_ms').notNull(),
    keep: text('keep').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.resourceId, table.metric, table.atMs] }),
    index('samples_age').on(table.keep, table.atMs),
  ],
);

/** What detectors said last, where that is more than "clear". */
export const verdicts = sqliteTable(
  'verdicts',
  {
    detector: text('detector').notNull(),
    resourceId: text('resource_id').notNull(),
    /** Empty: the detector knows only one subject there. */
    subject: text('subject').notNull(),
    severity: text('severity'),
    level: real('level'),
    /** The trigger that it was raised against. */
    trigger: real('trigger_value'),
    sinceMs: integer('since_ms').notNull(),
    badSinceMs: integer('bad_since_ms'),
    badLastAtMs: integer('bad_last_at_ms'),
    badLooks: integer('bad_looks'),
    /** JSON list of the sources that raised it. */
    sourceIds: text('source_ids'),
    seenAtMs: integer('seen_at_ms').notNull(),
    /** Whole looks, in a row, that no longer held the subject, and the newest of them. */
    absentLooks: integer('absent_looks').notNull().default(0),
    absentLookAtMs: integer('absent_look_at_ms'),
  },
  (table) => [primaryKey({ columns: [table.resourceId, table.detector, table.subject] })],
);

/** Small things a source remembers from one survey to the next. */
export const sourceState = sqliteTable(
  'source_state',
  {
    sourceId: text('source_id').notNull(),
    key: text('key').notNull(),
    value: text('value').notNull(),
  },
  (table) => [primaryKey({ columns: [table.sourceId, table.key] })],
);

/** The last surveys of each source, by pace. */
export const sourceSurveys = sqliteTable(
  'source_surveys',
  {
    sourceId: text('source_id').notNull(),
    pace: text('pace').notNull(),
    lastAtMs: integer('last_at_ms').notNull(),
    /** Last survey without a gap that makes it partial; events are looked for since then. */
    lastCompleteAtMs: integer('last_complete_at_ms'),
    outcome: text('outcome').notNull(),
    reason: text('reason'),
  },
  (table) => [primaryKey({ columns: [table.sourceId, table.pace] })],
);
