/**
 * A systemd of a test's own, as process 1 of namespaces of its own (processes, mounts, network, host name, cgroups): it
 * runs units with all their restrictions, by the kernel that is here. What it holds of this machine it can't change.
 */
import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process';
import {
  closeSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  rmdirSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { inPath } from './docker-daemon.ts';

const SYSTEMD = '/lib/systemd/systemd';
const READY_WITHIN_MS = 20_000;
const POLL_MS = 50;
/** What units of services lean on, without what would start the services of this machine. */
const TARGETS = ['sysinit', 'basic', 'shutdown', 'multi-user', 'sockets', 'network-online', 'local-fs'];

const cgroupRoot = (): string | null =>
  ['/sys/fs/cgroup', '/sys/fs/cgroup/unified'].find((path) => existsSync(join(path, 'cgroup.procs'))) ?? null;

/** Why no systemd can be started here; null if one can. */
export const whyNoRealSystemd = (): string | null => {
  if (process.getuid?.() !== 0) return 'systemd as process 1 needs root';
  if (!existsSync(SYSTEMD)) return 'systemd is not installed';
  for (const program of ['unshare', 'nsenter', 'mkfs.ext4', 'dbus-daemon']) {
    if (inPath(program) === null) return `${program} is not installed`;
  }
  return cgroupRoot() === null ? 'there is no cgroup2 file system' : null;
};

export interface SystemdOptions {
  /** Unit files by name, and drop-ins as `name.service.d/x.conf`. */
  readonly units: Readonly<Record<string, string>>;
  /** Shell lines that run before systemd, in its namespaces: mounts, users. `$work` is a directory that lives as long. */
  readonly prepare: string;
}

export interface RealSystemd {
  /** Runs a command in the namespaces, as root; rejects nothing, answers with what came out. */
  run(...command: readonly string[]): {
    readonly code: number | null;
    readonly stdout: string;
    readonly stderr: string;
  };
  /** Polls a property of a unit until it has a value; rejects with what it was, and the log. */
  waitFor(unit: string, property: string, value: string, withinMs: number): Promise<void>;
  log(): string;
  close(): Promise<void>;
}

/** Runs in the new namespaces, and becomes systemd. */
const script = (work: string, prepare: string): string => `
set -e
work=${work}
ip link set lo up
mount -t proc proc /proc
umount -l /sys/fs/cgroup
mount -t cgroup2 cgroup2 /sys/fs/cgroup
mount -t tmpfs -o mode=755 tmpfs /run
mkdir -p /run/lock /run/dbus
mount --bind "$work/etc" /etc
mount --bind "$work/units" /lib/systemd/system
mount -t tmpfs -o mode=755 tmpfs /lib/systemd/system-generators
for directory in /var/lib /var/log /opt /srv /home; do mount -t tmpfs -o mode=755 tmpfs "$directory"; done
${prepare}
mount -t tmpfs -o mode=1777 tmpfs /tmp
exec env -i container=patrold-test PATH=/usr/sbin:/usr/bin:/sbin:/bin ${SYSTEMD} --system --unit=multi-user.target \
  --log-target=console --show-status=0 --default-standard-output=inherit --default-standard-error=inherit
`;

const write = (directory: string, files: Readonly<Record<string, string>>): void => {
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(join(directory, name, '..'), { recursive: true });
    writeFileSync(join(directory, name), text);
  }
};

/** /etc as it is here, since users and libraries are those of this machine; units from the options alone. */
const furnish = (work: string, units: Readonly<Record<string, string>>): void => {
  execFileSync('cp', ['-a', '/etc', join(work, 'etc')], { timeout: 30_000 });
  rmSync(join(work, 'etc/systemd/system'), { recursive: true, force: true });
  write(
    join(work, 'units'),
    Object.fromEntries(TARGETS.map((name) => [`${name}.target`, '[Unit]\nDefaultDependencies=no\n'])),
  );
  for (const name of ['dbus.service', 'dbus.socket']) {
    writeFileSync(join(work, 'units', name), readFileSync(join('/lib/systemd/system', name), 'utf8'));
  }
  write(join(work, 'etc/systemd/system'), units);
};

/** A process that starts in this cgroup, so that systemd's own groups are below it. */
const launch = (work: string, cgroup: string, prepare: string): ChildProcess => {
  writeFileSync(join(work, 'start.sh'), script(work, prepare));
  const namespaces = ['--cgroup', '--mount', '--pid', '--uts', '--ipc', '--net', '--propagation', 'private'];
  const unshare = ['unshare', ...namespaces, '--fork', '--kill-child=SIGKILL', 'sh', join(work, 'start.sh')].join(' ');
  const log = openSync(join(work, 'log'), 'a');
  // It also ends with a test that was killed.
  const command = ['--pdeathsig', 'KILL', 'sh', '-c', `echo $$ > ${cgroup}/cgroup.procs && exec ${unshare}`];
  const launched = spawn('setpriv', command, { stdio: ['ignore', log, log] });
  closeSync(log);
  return launched;
};

const childOf = (pid: number | undefined): number | null => {
  try {
    return Number(readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ')[0]) || null;
  } catch {
    return null;
  }
};

const removeCgroup = (path: string): void => {
  if (!existsSync(path)) return;
  for (const entry of readdirSync(path, { withFileTypes: true }))
    if (entry.isDirectory()) removeCgroup(join(path, entry.name));
  rmdirSync(path);
};

export const startRealSystemd = async ({ units, prepare }: SystemdOptions): Promise<RealSystemd> => {
  const work = mkdtempSync(join(tmpdir(), 'patrold-systemd-'));
  const cgroup = join(cgroupRoot() ?? '', `patrold-systemd-${process.pid}-${work.slice(-6)}`);
  mkdirSync(cgroup);
  furnish(work, units);
  const outer = launch(work, cgroup, prepare);
  const killAtExit = (): void => void outer.kill('SIGKILL');
  process.once('exit', killAtExit);
  const log = (): string => readFileSync(join(work, 'log'), 'utf8');
  const run: RealSystemd['run'] = (...command) => {
    const target = childOf(outer.pid);
    if (target === null) return { code: null, stdout: '', stderr: `systemd has ended:\n${log()}` };
    const args = ['-t', String(target), '--mount', '--pid', '--uts', '--ipc', '--net', '--cgroup', '--', ...command];
    const { status, stdout, stderr } = spawnSync('nsenter', args, { encoding: 'utf8', timeout: 60_000 });
    return { code: status, stdout, stderr };
  };
  const waitUntil = async (what: string, withinMs: number, holds: () => string | null): Promise<void> => {
    const end = performance.now() + withinMs;
    for (;;) {
      const wrong = holds();
      if (wrong === null) return;
      if (performance.now() >= end) throw new Error(`${what}: ${wrong}\n${log().slice(-6_000)}`);
      await wait(POLL_MS);
    }
  };
  const close = async (): Promise<void> => {
    const ended = outer.exitCode !== null || outer.signalCode !== null;
    const exit = ended ? Promise.resolve() : new Promise((resolve) => void outer.once('exit', resolve));
    // Its process 1 goes with it, and with that all the others.
    outer.kill('SIGKILL');
    await exit;
    process.removeListener('exit', killAtExit);
    await waitUntil('cgroups', 10_000, () => {
      try {
        removeCgroup(cgroup);
        return null;
      } catch (error) {
        return String(error);
      }
    });
    rmSync(work, { recursive: true, force: true });
  };
  try {
    await waitUntil('systemd', READY_WITHIN_MS, () => {
      const { stdout, stderr } = run('systemctl', 'is-active', 'multi-user.target');
      return stdout.trim() === 'active' ? null : `${stdout}${stderr}`;
    });
  } catch (error) {
    await close();
    throw error;
  }
  return {
    run,
    log,
    close,
    waitFor: (unit, property, value, withinMs) =>
      waitUntil(`${unit} ${property}`, withinMs, () => {
        const is = run('systemctl', 'show', '--value', '--property', property, unit).stdout.trim();
        return is === value ? null : is;
      }),
  };
};
