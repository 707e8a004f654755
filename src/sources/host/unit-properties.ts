/** What `systemctl show` prints: blocks of `Property=value`, one for each unit (systemctl(1)). */
import type { UnitReading } from '../../../signals/reading.ts';

/** Loaded units of the kinds that can fail; globs match those in memory only. */
const UNIT_GLOBS = ['*.service', '*.mount', '*.timer', '*.socket', '*.swap', '*.path', '*.automount'] as const;
const PROPERTIES = [
  'Id',
  'LoadState',
  'ActiveState',
  'SubState',
  'Result',
  'NRestarts',
  'UnitFileState',
  'StateChangeTimestampMonotonic',
];
export const SHOW_UNITS = ['show', '--no-pager', `--property=${PROPERTIES.join(',')}`, '--', ...UNIT_GLOBS] as const;

export interface Unit {
  readonly name: string;
  readonly isLoaded: boolean;
  readonly activeState: UnitReading['activeState'];
  readonly subState: string;
  readonly result: string | null;
  readonly restartCount: number | null;
  readonly unitFileState: string;
  /** Microseconds since boot; null: it never changed. */
  readonly changedAtUs: number | null;
}

const ACTIVE_STATES: ReadonlySet<string> = new Set<UnitReading['activeState']>([
  'active',
  'reloading',
  'inactive',
  'failed',
  'activating',
  'deactivating',
  'maintenance',
]);
const isActiveState = (word: string): word is UnitReading['activeState'] => ACTIVE_STATES.has(word);

export interface ParsedUnits {
  readonly units: readonly Unit[];
  readonly malformed: number;
}

export const parseUnits = (text: string): ParsedUnits => {
  const units = new Map<string, Unit>();
  let malformed = 0;
  for (const block of text.split(/\n{2,}/)) {
    if (block.trim() === '') continue;
    const unit = parseUnit(block);
    if (unit === null) malformed += 1;
    else units.set(unit.name, unit);
  }
  return { units: [...units.values()], malformed };
};

const parseUnit = (block: string): Unit | null => {
  const properties = new Map<string, string>();
  for (const [, key, value] of block.matchAll(/^(\w+)=(.*)$/gm)) {
    if (key !== undefined && value !== undefined) properties.set(key, value);
  }
  const of = (key: string): string => properties.get(key) ?? '';
  const name = of('Id');
  const activeState = of('ActiveState');
  if (name === '' || !isActiveState(activeState)) return null;
  const restarts = of('NRestarts');
  const changedAtUs = Number(of('StateChangeTimestampMonotonic'));
  return {
    name,
    isLoaded: of('LoadState') === 'loaded',
    activeState,
    subState: of('SubState'),
    result: of('Result') === '' ? null : of('Result'),
    restartCount: /^\d+$/.test(restarts) ? Number(restarts) : null,
    unitFileState: of('UnitFileState'),
    changedAtUs: changedAtUs > 0 ? changedAtUs : null,
  };
};
