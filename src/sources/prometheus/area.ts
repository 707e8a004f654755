/** One area of what exporters tell: its questions, and what its answers mean. */
import type { NamedQuery } from './named-query.ts';
import type { SurveyWorld } from './survey-world.ts';

export interface Area {
  /** The file's name. */
  readonly name: string;
  readonly queries: readonly NamedQuery[];
  /** Adds claims, readings, series and gaps. */
  map(world: SurveyWorld): void;
}

export const defineArea = (area: Area): Area => area;
