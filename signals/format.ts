/** Values with their units, for summaries and evidence. Locale-free: one text for logs, terminals and tests. */
import type { LimitOrigin, Unit } from './limit.ts';

const trim = (value: number, digits: number): string => {
  const text = value.toFixed(digits);
  const short = digits > 0 ? text.replace(/\.?0+$/, '') : text;
  return short === '-0' ? '0' : short;
};

export const formatPercent = (value: number): string => `${trim(value, 1)} %`;

const BYTE_UNITS = ['B', 'KiB', 'MiB', 'GiB', 'TiB', 'PiB', 'EiB'] as const;

export const formatBytes = (bytes: number): string => {
  let value = bytes;
  let index = 0;
  while (Math.abs(value) >= 1024 && index < BYTE_UNITS.length - 1) {
    value /= 1024;
    index += 1;
  }
  return `${trim(value, index === 0 ? 0 : 1)} ${BYTE_UNITS[index]}`;
};

/** `90 s`, `15 min`, `2 h 5 min`, `3 d 4 h`: the two largest parts. */
export const formatDuration = (ms: number): string => {
  const seconds = Math.max(0, Math.round(ms / 1000));
  if (seconds < 120) return `${seconds} s`;
  const minutes = Math.round(seconds / 60);
  if (minutes < 120) return `${minutes} min`;
  const hours = Math.floor(minutes / 60);
  if (hours < 48) return minutes % 60 === 0 ? `${hours} h` : `${hours} h ${minutes % 60} min`;
  const days = Math.floor(hours / 24);
  return hours % 24 === 0 ? `${days} d` : `${days} d ${hours % 24} h`;
};

export const formatValue = (value: number, unit: Unit): string => {
  switch (unit) {
    case 'percent':
      return formatPercent(value);
    case 'celsius':
      return `${trim(value, 1)} °C`;
    case 'count':
      return trim(value, 0);
    case 'ms':
      return `${trim(value, 0)} ms`;
    case 'seconds':
      return formatDuration(value * 1000);
    case 'hours':
      return formatDuration(value * 3_600_000);
    case 'days':
      return formatDuration(value * 86_400_000);
  }
};

/** Who set a limit: `default`, the path of the setting, or why patrold derived it. */
export const formatOrigin = (origin: LimitOrigin): string => {
  switch (origin.kind) {
    case 'default':
      return 'default';
    case 'setting':
    case 'override':
      return origin.path;
    case 'import':
      return `imported: ${origin.path}`;
    case 'derived':
      return `derived: ${origin.reason}`;
  }
};
