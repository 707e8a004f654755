/** Who this process is, so that another one on the same machine can tell whether it still lives. */
import { readFileSync, readlinkSync } from 'node:fs';

/** Boot, pid namespace, pid and its start: together they never name two processes. */
interface ProcessName {
  readonly boot: string;
  readonly pidNamespace: string;
  readonly pid: number;
  readonly start: string;
}

const readOr = <T>(read: () => T, fallback: T): T => {
  try {
    return read();
  } catch {
    // Not Linux, or /proc is hidden: then liveness can't be told, which callers treat as "may be alive".
    return fallback;
  }
};

/** Field 22 of /proc/<pid>/stat, counted after the command name, which may hold spaces and brackets (proc(5)). */
const startOf = (pid: number): string | null =>
  readOr(() => {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19] ?? null;
  }, null);

const thisProcess = (): ProcessName => ({
  boot: readOr(() => readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim(), ''),
  pidNamespace: readOr(() => readlinkSync('/proc/self/ns/pid'), ''),
  pid: process.pid,
  start: startOf(process.pid) ?? '',
});

export interface ProcessIdentity {
  readonly self: string;
  /** False only if that process is surely dead; null where it can't be told from here. */
  isAlive(identity: string): boolean | null;
}

export const createProcessIdentity = (): ProcessIdentity => {
  const self = thisProcess();
  return {
    self: JSON.stringify(self),
    isAlive: (identity) => {
      const other = JSON.parse(identity) as ProcessName;
      if (self.boot === '' || other.boot === '') return null;
      // The machine was started anew: nothing of that boot lives.
      if (other.boot !== self.boot) return false;
      if (self.pidNamespace === '' || other.pidNamespace !== self.pidNamespace) return null;
      return startOf(other.pid) === other.start;
    },
  };
};
