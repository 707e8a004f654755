/** Codes of what the database and its directory refuse. */
import type { ErrorMeanings } from './error-meaning.ts';

export const databaseErrors = {
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
  database_migrations_missing: {
    meaning: "patrold's own migrations can not be read.",
    remedy: 'The installation is incomplete: install patrold again.',
  },
} as const satisfies ErrorMeanings;
