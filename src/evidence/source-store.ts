/** What is remembered of each source between surveys: its own small state, and when it was read. */
import type { SourceId } from '../../signals/resource.ts';
import type { Survey } from '../../signals/survey.ts';
import type { Database } from '../runtime/database.ts';
import { sql } from '../runtime/drizzle.ts';
import { PatroldError } from '../runtime/errors.ts';
import type { Pace, SourceState } from '../sources/source.ts';
import { sourceState, sourceSurveys } from './schema.ts';

/** The most that one value of a source's state may take, as JSON. */
export const MAX_STATE_BYTES = 1_048_576;

export interface KeptSurvey {
  readonly lastAtMs: number;
  readonly lastCompleteAtMs: number | null;
  readonly outcome: Survey['outcome'];
}

export interface SourceStore {
  /** The state as the last recorded run left it, with this run's changes on top of it. */
  stateOf(sourceId: SourceId): SourceState;
  last(sourceId: SourceId, pace: Pace): KeptSurvey | null;
  /** Writes the pending state of the surveyed sources and notes their surveys. The caller holds the transaction. */
  record(surveys: readonly Survey[], paces: ReadonlyMap<SourceId, readonly Pace[]>): void;
  /** Forgets pending changes of state: the run that made them was not recorded. */
  discard(): void;
}

export const createSourceStore = (db: Database): SourceStore => {
  const { orm } = db;
  const pending = new Map<SourceId, Map<string, string>>();

  const read = (sourceId: SourceId, key: string): string | undefined =>
    orm
      .select({ value: sourceState.value })
      .from(sourceState)
      .where(sql`${sourceState.sourceId} = ${sourceId} and ${sourceState.key} = ${key}`)
      .get()?.value;

  const stateOf = (sourceId: SourceId): SourceState => ({
    get: (key) => {
      const text = pending.get(sourceId)?.get(key) ?? read(sourceId, key);
      return text === undefined ? undefined : (JSON.parse(text) as unknown);
    },
    set: (key, value) => {
      const text = JSON.stringify(value);
      if (Buffer.byteLength(text) > MAX_STATE_BYTES) {
        throw new PatroldError(
          'source_state_too_large',
          `source ${sourceId} wants to remember more than ${MAX_STATE_BYTES} bytes as ${key}`,
        );
      }
      const own = pending.get(sourceId) ?? new Map<string, string>();
      pending.set(sourceId, own.set(key, text));
    },
  });

  const writeState = (sourceId: SourceId): void => {
    for (const [key, value] of pending.get(sourceId) ?? []) {
      orm
        .insert(sourceState)
        .values({ sourceId, key, value })
        .onConflictDoUpdate({ target: [sourceState.sourceId, sourceState.key], set: { value } })
        .run();
    }
    pending.delete(sourceId);
  };

  const writeSurvey = (survey: Survey, pace: Pace): void => {
    const { sourceId, startedAtMs: lastAtMs, outcome, reason } = survey;
    const lastCompleteAtMs = outcome === 'ok' ? lastAtMs : null;
    orm
      .insert(sourceSurveys)
      .values({ sourceId, pace, lastAtMs, lastCompleteAtMs, outcome, reason })
      .onConflictDoUpdate({
        target: [sourceSurveys.sourceId, sourceSurveys.pace],
        set: { lastAtMs, outcome, reason, ...(lastCompleteAtMs === null ? {} : { lastCompleteAtMs }) },
      })
      .run();
  };

  return {
    stateOf,
    last: (sourceId, pace) => {
      const { lastAtMs, lastCompleteAtMs, outcome } = sourceSurveys;
      const row = orm
        .select({ lastAtMs, lastCompleteAtMs, outcome })
        .from(sourceSurveys)
        .where(sql`${sourceSurveys.sourceId} = ${sourceId} and ${sourceSurveys.pace} = ${pace}`)
        .get();
      return row === undefined ? null : { ...row, outcome: row.outcome as Survey['outcome'] };
    },
    record: (surveys, paces) => {
      for (const survey of surveys) {
        writeState(survey.sourceId);
        for (const pace of paces.get(survey.sourceId) ?? []) writeSurvey(survey, pace);
      }
    },
    discard: () => pending.clear(),
  };
};
