/** The limit of a fault that has to last, for summaries. */
import { formatDuration, formatOrigin } from './format.ts';
import type { EffectiveLimit } from './limit.ts';

/** `limit 5 min (default)` */
export const forText = ({ forMs, forOrigin }: Pick<EffectiveLimit, 'forMs' | 'forOrigin'>): string =>
  `limit ${formatDuration(forMs)} (${formatOrigin(forOrigin)})`;
