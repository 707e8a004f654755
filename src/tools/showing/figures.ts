/** Figures with their units; null stays null. */
import { formatBytes, formatDuration, formatPercent } from '../../../signals/format.ts';
import type { Averaged } from '../../../signals/reading.ts';
import { shownInstant } from './shown-text.ts';

export const ratio = (value: number | null): string | null => (value === null ? null : formatPercent(value * 100));
export const percent = (value: number | null): string | null => (value === null ? null : formatPercent(value));
export const bytes = (value: number | null): string | null => (value === null ? null : formatBytes(value));
export const celsius = (value: number | null): string | null =>
  value === null ? null : `${Math.round(value * 10) / 10} °C`;
export const milliseconds = (value: number | null): string | null =>
  value === null ? null : `${Math.round(value)} ms`;
export const duration = (ms: number | null): string | null => (ms === null ? null : formatDuration(ms));
export const instant = (atMs: number | null): string | null => (atMs === null ? null : shownInstant(atMs));

export const usedShare = (used: number, available: number): number =>
  used + available > 0 ? used / (used + available) : 0;

/** Over which time a use metric is a mean; an instant says so. */
export const over = ({ windowMs, observedRatio }: Averaged): string =>
  windowMs === 0
    ? 'instant'
    : `${formatDuration(windowMs)}${observedRatio < 1 ? `, ${formatPercent(observedRatio * 100)} of it observed` : ''}`;
