/** Which units are watched: those that somebody wants to run, and those that are in trouble. */
import type { Unit } from './unit-properties.ts';

/** They come and go with sessions, devices and single commands. */
const PASSING =
  /^(?:user@|user-runtime-dir@|session-|run-|systemd-fsck@|systemd-udevd@|modprobe@|getty@|serial-getty@|container-getty@|console-getty|autovt@|systemd-coredump@|drkonqi)/;

const RUNNING = new Set(['active', 'reloading', 'activating', 'deactivating', 'maintenance']);

export const isTroubled = ({ activeState, subState }: Unit): boolean =>
  activeState === 'failed' || activeState === 'maintenance' || subState.startsWith('auto-restart');

/** `seenInTrouble`: kept in view, so that its recovery is seen too. */
export const isWatched = (unit: Unit, seenInTrouble: ReadonlySet<string>): boolean => {
  if (isTroubled(unit)) return true;
  if (!unit.isLoaded) return false;
  if (seenInTrouble.has(unit.name)) return true;
  if (!unit.name.endsWith('.service') || unit.unitFileState === 'transient' || PASSING.test(unit.name)) return false;
  return RUNNING.has(unit.activeState) || unit.unitFileState === 'enabled' || unit.unitFileState === 'enabled-runtime';
};

const rank = (unit: Unit, seenInTrouble: ReadonlySet<string>): number => {
  if (isTroubled(unit)) return 0;
  if (seenInTrouble.has(unit.name)) return 1;
  return RUNNING.has(unit.activeState) ? 2 : 3;
};

/** The most important first, so that a limit cuts off the others. */
export const watchedUnits = (units: readonly Unit[], seenInTrouble: ReadonlySet<string>): readonly Unit[] =>
  units
    .filter((unit) => isWatched(unit, seenInTrouble))
    .toSorted((a, b) => rank(a, seenInTrouble) - rank(b, seenInTrouble) || (a.name < b.name ? -1 : 1));
