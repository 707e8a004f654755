/** The limit of a fault that has no figure: the operator can say how long it must last, or switch it off. */
import type { LimitSpec } from './limit.ts';

export interface StateLimit {
  readonly metric: string;
  readonly kinds: LimitSpec['kinds'];
  readonly forMs?: number;
  readonly because: string;
}

export const stateLimit = ({ metric, kinds, forMs = 0, because }: StateLimit): LimitSpec => ({
  metric,
  kinds,
  unit: 'count',
  direction: 'state',
  warning: null,
  critical: null,
  clearBy: 0,
  forMs,
  because,
});
