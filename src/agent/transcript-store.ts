/** Keeps transcripts, entry by entry as they come, so that a run that is killed leaves what was said until then. */
import type { Clock } from '../runtime/clock.ts';
import type { Database } from '../runtime/database.ts';
import { asc, eq, lt } from '../runtime/drizzle.ts';
import { redactSecrets } from '../runtime/redact-secrets.ts';
import { transcripts } from './schema.ts';
import type { Transcript, TranscriptEntry } from './transcript.ts';

/** Of one text in an entry; what a tool showed is shorter. */
export const TEXT_CHARACTERS = 20_000;
/** Of all entries of one run. */
export const RUN_CHARACTERS = 2_000_000;

export interface KeptEntry {
  readonly loop: string;
  readonly atMs: number;
  readonly entry: TranscriptEntry | { readonly kind: 'full' };
}

export interface TranscriptStore {
  open(runId: string, loop: string): Transcript;
  /** In the order in which it was said. */
  of(runId: string): readonly KeptEntry[];
  /** Returns how many entries went. */
  prune(beforeMs: number): number;
}

const shortened = (key: string, value: unknown): unknown => {
  if (typeof value !== 'string') return value;
  const safe = key === 'kind' ? value : redactSecrets(value);
  return safe.length <= TEXT_CHARACTERS ? safe : `${safe.slice(0, TEXT_CHARACTERS)}…`;
};

export const createTranscriptStore = (db: Database, clock: Pick<Clock, 'nowMs'>): TranscriptStore => {
  const { orm } = db;
  /** Characters of the runs that are under way. */
  const written = new Map<string, number>();
  return {
    open: (runId, loop) => {
      let seq = 0;
      const write = (kind: string, body: string): void => {
        seq += 1;
        orm.insert(transcripts).values({ runId, loop, seq, atMs: clock.nowMs(), kind, body }).run();
      };
      return {
        add: (entry) => {
          const before = written.get(runId) ?? 0;
          if (before > RUN_CHARACTERS) return;
          const body = JSON.stringify(entry, shortened);
          written.set(runId, before + body.length);
          if (before + body.length > RUN_CHARACTERS) write('full', JSON.stringify({ kind: 'full' }));
          else write(entry.kind, body);
        },
      };
    },
    of: (runId) =>
      orm
        .select()
        .from(transcripts)
        .where(eq(transcripts.runId, runId))
        .orderBy(asc(transcripts.atMs), asc(transcripts.loop), asc(transcripts.seq))
        .all()
        .map(({ loop, atMs, body }) => ({ loop, atMs, entry: JSON.parse(body) as KeptEntry['entry'] })),
    prune: (beforeMs) => {
      written.clear();
      return orm.delete(transcripts).where(lt(transcripts.atMs, beforeMs)).run().changes;
    },
  };
};
