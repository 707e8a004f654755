/** The daemon: patrol, HTTP, signals, systemd. */

import type { ExitCode } from '../cli/exit-code.ts';
import { EXIT } from '../cli/exit-code.ts';
import { createProgress } from '../cli/show-progress.ts';
import { showRun } from '../cli/show-run.ts';
import type { Terminal } from '../cli/terminal.ts';
import type { LoadedConfig } from '../config/load.ts';
import type { Config } from '../config/schema.ts';
import { createDaemon } from '../patrol/daemon.ts';
import { createDue, type Due, type Timetable } from '../patrol/due.ts';
import type { OnRunEvent, RunEvent } from '../patrol/events.ts';
import { parseCron } from '../patrol/schedule.ts';
import { createSystemdNotifier } from '../runtime/notify-systemd.ts';
import { localTimeZone } from './config-checks.ts';
import { exposedState } from './data-directory.ts';
import { startHttp } from './http.ts';
import { createPatrol, createSettings, type Essentials, type Patrol } from './patrol.ts';
import type { ProcessPorts } from './process-ports.ts';
import type { OpenStores } from './stores.ts';
import { upkeep } from './upkeep.ts';

/** How long a run under way may take to end after the first signal. */
const GRACE_MS = 20_000;

export interface ServeDeps {
  readonly essentials: Essentials;
  readonly config: LoadedConfig;
  /** Throws `config_invalid`: then the config in force stays. */
  readonly reloadConfig: () => LoadedConfig;
  readonly directory: string;
  readonly stores: OpenStores;
  readonly terminal: Terminal;
  readonly ports: ProcessPorts;
}

export const timetableOf = ({ patrol }: Config): Timetable => ({
  patrol:
    patrol.schedule === false || patrol.schedule === 'off'
      ? null
      : parseCron(patrol.schedule, patrol.timeZone ?? localTimeZone()),
  watchEveryMs: typeof patrol.watch === 'number' ? patrol.watch : null,
});

/** Listeners that come and go while the daemon runs. */
const createHub = (): { readonly emit: OnRunEvent; add(listener: OnRunEvent): () => void } => {
  const listeners = new Set<OnRunEvent>();
  return {
    emit: (event) => {
      for (const listener of listeners) listener(event);
    },
    add: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
};

/** Settings that are read once, at the start. */
const needsRestart = (before: Config, after: Config): readonly string[] =>
  [
    before.data.directory === after.data.directory ? null : 'data.directory',
    before.http.listen === after.http.listen ? null : 'http.listen',
    before.log.level === after.log.level ? null : 'log.level',
  ].filter((path) => path !== null);

const showFirst = (terminal: Terminal, nowMs: () => number): OnRunEvent => {
  const progress = createProgress(terminal);
  return (event: RunEvent) => {
    progress.onEvent(event);
    if (event.kind !== 'run_ended') return;
    progress.end();
    terminal.out(showRun(terminal, event.report, nowMs()));
  };
};

/** A patrol before everything else, whose progress and findings go to the terminal. */
const runAtOnce = (
  hub: ReturnType<typeof createHub>,
  stores: OpenStores,
  terminal: Terminal,
  nowMs: () => number,
): void => {
  const stop = hub.add(showFirst(terminal, nowMs));
  hub.add((event) => {
    if (event.kind === 'run_ended') stop();
  });
  stores.queue.add({ kind: 'patrol', trigger: 'manual', scope: null }, nowMs());
};

/** SIGHUP: a bad file leaves everything as it was, and says so. */
const reloader = (deps: ServeDeps, patrol: Patrol, due: Due, current: { config: Config }) => (): void => {
  const { essentials, stores } = deps;
  const { logger, clock } = essentials;
  try {
    const { config } = deps.reloadConfig();
    const later = needsRestart(current.config, config);
    patrol.replaceSettings(createSettings(config, essentials, stores.sources.stateOf));
    current.config = config;
    due.retime(clock.nowMs());
    logger.info({ sources: config.sources.map(({ id }) => id) }, 'config reloaded');
    if (later.length > 0) logger.warn({ settings: later }, 'these settings take effect after a restart');
  } catch (error) {
    logger.error({ err: error }, 'config not reloaded: the one in force stays');
  }
};

export const serve = async (deps: ServeDeps, showFirstRun: boolean): Promise<ExitCode> => {
  const { essentials, config: loaded, stores, terminal, ports } = deps;
  const { clock, logger } = essentials;
  const current = { config: loaded.config };
  for (const warning of [...loaded.warnings, ...exposedState(deps.directory)]) logger.warn(warning);
  const hub = createHub();
  const patrol = createPatrol(
    essentials,
    stores,
    createSettings(loaded.config, essentials, stores.sources.stateOf),
    hub.emit,
  );
  const due = createDue({
    logger,
    queue: stores.queue,
    runs: stores.runs,
    timetable: () => timetableOf(current.config),
    retryAtMs: patrol.retryAtMs,
  });
  const systemd = createSystemdNotifier({
    env: ports.env,
    pid: ports.pid,
    onFailure: (err) => logger.warn({ err }, 'systemd could not be told'),
  });
  let lastTickMs = clock.monotonicMs();
  const daemon = createDaemon({
    clock,
    logger,
    due,
    lease: patrol.lease,
    worker: patrol.worker,
    upkeep: (nowMs) => upkeep(stores, patrol.settings(), nowMs, logger),
    onTick: () => {
      lastTickMs = clock.monotonicMs();
    },
  });
  ports.onReload(reloader(deps, patrol, due, current));
  if (showFirstRun) runAtOnce(hub, stores, terminal, clock.nowMs);
  const abort = new AbortController();
  ports.interrupted.addEventListener('abort', () => {
    systemd.notify('STOPPING=1');
    logger.info('stopping after the run under way; a second signal stops at once');
    setTimeout(() => abort.abort(), GRACE_MS).unref();
  });
  const { version } = ports;
  const timetable = (): Timetable => timetableOf(current.config);
  const parts = { essentials, stores, patrol, due, timetable, version, directory: deps.directory };
  const http = await startHttp({ ...parts, config: loaded.config, addListener: hub.add });
  systemd.notify('READY=1', `STATUS=${http === null ? 'patrolling' : `patrolling, HTTP on ${http.address}`}`);
  logger.info({ directory: deps.directory, http: http?.address ?? 'off', version: ports.version }, 'patrold is ready');
  const watchdog =
    systemd.watchdogEveryMs === null
      ? null
      : setInterval(() => {
          // Ticks that fail or hang are no life; a run under way is one long tick, bounded by its own timeout.
          if (clock.monotonicMs() - lastTickMs < patrol.settings().runTimeoutMs + GRACE_MS)
            systemd.notify('WATCHDOG=1');
        }, systemd.watchdogEveryMs);
  await daemon.run(ports.interrupted, abort.signal);
  if (watchdog !== null) clearInterval(watchdog);
  await http?.close();
  await patrol.close();
  stores.db.close();
  logger.info('patrold has stopped');
  return EXIT.fine;
};
