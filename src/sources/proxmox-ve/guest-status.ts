/** What a guest's status word means. */
import type { ResourceStatus } from '../../../signals/resource.ts';

export type GuestPower = 'running' | 'stopped' | 'paused' | 'unknown';
export type PausedBecause = 'io-error' | 'internal-error' | 'guest-panicked' | 'suspended' | 'other';

export interface GuestStatus {
  readonly power: GuestPower;
  /** Null: it is not paused. */
  readonly pausedBecause: PausedBecause | null;
}

const paused = (pausedBecause: PausedBecause): GuestStatus => ({ power: 'paused', pausedBecause });
const RUNNING: GuestStatus = { power: 'running', pausedBecause: null };
const STOPPED: GuestStatus = { power: 'stopped', pausedBecause: null };
const UNKNOWN: GuestStatus = { power: 'unknown', pausedBecause: null };

/** QEMU's run states (qapi/run-state.json), and the two words for containers. */
export const guestStatus = (word: string | undefined): GuestStatus => {
  switch (word) {
    case 'running':
    case 'finish-migrate':
    case 'save-vm':
    case 'colo':
      return RUNNING;
    case 'stopped':
    case 'shutdown':
      return STOPPED;
    case 'io-error':
    case 'internal-error':
    case 'guest-panicked':
      return paused(word);
    case 'suspended':
      return paused('suspended');
    case 'paused':
    case 'prelaunch':
    case 'postmigrate':
    case 'inmigrate':
    case 'restore-vm':
    case 'debug':
    case 'watchdog':
      return paused('other');
    default:
      return UNKNOWN;
  }
};

export const resourceStatus = ({ power, pausedBecause }: GuestStatus): ResourceStatus => {
  if (power !== 'paused') return power;
  return pausedBecause === 'suspended' || pausedBecause === 'other' ? 'paused' : 'failed';
};
