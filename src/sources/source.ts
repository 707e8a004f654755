/** The port of every source: a configured system that patrold reads and never changes. */
import type { ZodType } from 'zod';
import type { ResourceClaim } from '../../signals/claim.ts';
import type { ReadingKind } from '../../signals/reading.ts';
import type { SourceId } from '../../signals/resource.ts';
import type { CompleteList, Gap, Series, SurveyedReading } from '../../signals/survey.ts';
import type { Clock } from '../runtime/clock.ts';
import type { Logger } from '../runtime/logger.ts';
import type { LogReader } from './log.ts';

/** What a source is asked for in one survey. */
export interface SurveyRequest {
  readonly signal: AbortSignal;
  /**
   * Distinct averaging windows that limits of this source's resources ask for, by use metric, ascending
   * (`cpu: [900000]`). A source that keeps history answers with readings averaged over the longest; others
   * answer with what they can measure.
   */
  readonly windowsMs: {
    readonly cpu: readonly number[];
    readonly memory: readonly number[];
    readonly temperature: readonly number[];
  };
  /** When this source was last surveyed to completion; null: never. Events are looked for since then. */
  readonly lastSurveyAtMs: number | null;
  /** Which paces are due now: a watch reads the fast ones, a patrol all. */
  readonly paces: readonly Pace[];
}

/** Readings have a pace of their own: `fast` every watch, `hourly` (SMART), `daily` (certificates, jobs, snapshots). */
export type Pace = 'fast' | 'hourly' | 'daily';

/** What a source found. The runner adds id, times and outcome; a thrown error makes the survey `failed`. */
export interface Sighting {
  readonly claims: readonly ResourceClaim[];
  readonly readings: readonly SurveyedReading[];
  readonly series: readonly Series[];
  /** A gap whose code is not in `STANDING_GAPS` makes the survey `partial`. */
  readonly gaps: readonly Gap[];
  readonly listed: readonly CompleteList[];
}

export interface Source {
  readonly id: SourceId;
  readonly type: string;
  survey(request: SurveyRequest): Promise<Sighting>;
  /** One cheap question for `check-config --connect` and `init`: resolves to a sentence, rejects with a coded error. */
  probe(signal: AbortSignal): Promise<string>;
  /** The last lines of a log, of things of its own; absent: it has none to read. */
  readonly readLog?: LogReader;
  close(): Promise<void>;
}

/** What the composition root hands to a source. */
export interface SourceDeps {
  readonly clock: Clock;
  readonly logger: Logger;
  /** machine-id of the machine that patrold watches as its own, for sources that reach it by a local socket; null: unknown. */
  readonly localMachineId: string | null;
  /** Keeps small things between surveys (counters for rates, event cursors); survives restarts. */
  readonly state: SourceState;
}

/** A source's own small durable memory: JSON by key, at most 1 MiB each. Written when the run has recorded the survey. */
export interface SourceState {
  get(key: string): unknown;
  set(key: string, value: unknown): void;
}

export interface SourceDefinition<Config> {
  readonly type: string;
  /** Strict schema of one entry of `sources:`, without `id` and `type`, which are the same everywhere. */
  readonly configSchema: ZodType<Config>;
  readonly reads: readonly ReadingKind[];
  readonly defaultTimeoutMs: number;
  /** It delivers windows, trends and counters' pasts itself, so patrold keeps no samples of its readings. */
  readonly keepsHistory?: true;
  create(id: SourceId, config: Config, deps: SourceDeps): Source;
}

export const defineSource = <Config>(definition: SourceDefinition<Config>): SourceDefinition<Config> => definition;
