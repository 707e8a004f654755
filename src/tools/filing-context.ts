/** What the tools to file are given beside what all tools are: the findings to write, and the verdicts to check claims by. */
import type { Actor } from '../../findings/history-entry.ts';
import type { FindingStore } from '../../findings/store.ts';
import type { ResourceId } from '../../signals/resource.ts';
import type { LookingContext } from './looking-context.ts';
import type { VerdictLookup } from './verdict-lookup.ts';

export interface FilingContext extends LookingContext {
  readonly findings: LookingContext['findings'] &
    Pick<FindingStore, 'report' | 'takenFor' | 'apply' | 'assess' | 'assessmentsIn'>;
  readonly verdicts: VerdictLookup;
  /** The model, by its name. */
  readonly actor: Actor;
  /** Told of what was filed, when it is durable. */
  readonly onFiled: (filed: FiledByModel) => void;
}

export interface FiledByModel {
  readonly findingId: string;
  readonly resourceId: ResourceId;
  readonly key: string;
  readonly outcome: string;
}
