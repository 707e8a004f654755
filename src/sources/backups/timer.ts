/** The systemd timer that starts a backup's unit. Pure. */
import type { UnitProperties } from './show-output.ts';
import { parseTimeSpan } from './time-span.ts';

export const TIMER_PROPERTIES = [
  'Id',
  'LoadState',
  'ActiveState',
  'UnitFileState',
  'NextElapseUSecRealtime',
  'LastTriggerUSec',
  'TimersCalendar',
  'TimersMonotonic',
  'RandomizedDelayUSec',
] as const;

export interface Timer {
  readonly name: string;
  /** It will fire: one that is enabled but stopped does not, before the next boot. */
  readonly isActive: boolean;
  /** `OnCalendar=` expressions, normalised. */
  readonly calendars: readonly string[];
  /** Shortest time after which it fires again (`OnUnitActiveSec=`); null where the calendar alone rules. */
  readonly intervalMs: number | null;
  readonly randomDelayMs: number;
  readonly nextAtMs: number | null;
  readonly lastAtMs: number | null;
}

/** Null: there is no such timer. */
export const readTimer = (name: string, unit: UnitProperties): Timer | null => {
  const loaded = unit.get('LoadState');
  if (loaded !== 'loaded' && loaded !== 'masked') return null;
  const spans = unit
    .all('TimersMonotonic')
    .map((text) => parseTimeSpan(/^\{ On(?:UnitActive|UnitInactive)USec=([^;]*?) ;/.exec(text)?.[1] ?? ''))
    .filter((span): span is number => span !== null && span > 0);
  return {
    name,
    isActive: unit.get('ActiveState') === 'active',
    calendars: unit.all('TimersCalendar').flatMap((text) => /^\{ OnCalendar=([^;{}]+?) ;/.exec(text)?.[1] ?? []),
    intervalMs: spans.length === 0 ? null : Math.min(...spans),
    randomDelayMs: parseTimeSpan(unit.get('RandomizedDelayUSec')) ?? 0,
    nextAtMs: unit.atMs('NextElapseUSecRealtime'),
    lastAtMs: unit.atMs('LastTriggerUSec'),
  };
};

/** `restic@home.service` is started by `restic@home.timer`, unless systemd names another one. */
export const timerNameOf = (serviceName: string, service: UnitProperties): string => {
  const named = service
    .get('TriggeredBy')
    .split(' ')
    .find((unit) => unit.endsWith('.timer'));
  return named ?? serviceName.replace(/\.[a-z]+$/, '.timer');
};
