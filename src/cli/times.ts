/** Instants for people, in their zone. */
import { formatDuration } from '../../signals/format.ts';

/** `2026-12-01 14:05` in the reader's zone. */
export const formatInstant = (ms: number, timeZone: string): string => {
  const parts = new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short', timeStyle: 'short' }).format(ms);
  return parts.replace(',', '');
};

/** `3 h ago`, `in 5 min`. */
export const formatAgo = (ms: number, nowMs: number): string => {
  const apart = formatDuration(Math.abs(nowMs - ms));
  return ms > nowMs ? `in ${apart}` : `${apart} ago`;
};
