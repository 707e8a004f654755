/** A question to Prometheus with a name that stays, what it needs, and what is missing when it fails. */
import type { ReadingKind } from '../../../signals/reading.ts';
import type { Pace } from '../source.ts';
import type { Answers } from './answers.ts';
import type { Selector } from './promql.ts';

/** What PromQL is written from. */
export interface QueryContext {
  readonly select: Selector;
  /** The longest window that limits ask for; at least a few scrapes. */
  readonly windowMs: { readonly cpu: number; readonly memory: number; readonly temperature: number };
  /** When events are looked for from, by Prometheus' clock. */
  readonly eventsSinceMs: number;
  /** Names of units that were bad lately. */
  readonly unitNames: readonly string[];
}

export interface NamedQuery {
  /** Closed set; recordings are kept under it. */
  readonly name: string;
  /** Asked only where all of these metrics exist. */
  readonly needs: readonly string[];
  /** And at least one of these. */
  readonly oneOf?: readonly string[];
  /** What is unobserved when it fails. */
  readonly reads: readonly ReadingKind[];
  /** Of the first round's answers, for a question of the second. */
  readonly promql: (context: QueryContext, first: Answers) => string;
  /** `past` is asked whenever no answer of the last hour is kept; default `fast`. */
  readonly pace?: Pace | 'past';
  readonly range?: { readonly spanMs: number; readonly stepMs: number };
  /** Evaluated at another time than now. */
  readonly atMs?: (context: QueryContext) => number;
  readonly valueIsTime?: true;
  /** It only adds to what others tell: that this Prometheus can't answer it leaves no gap. */
  readonly enriches?: true;
  /** Asked in a second round, and only if the answers of the first call for it. */
  readonly when?: (first: Answers, context: QueryContext) => boolean;
}
