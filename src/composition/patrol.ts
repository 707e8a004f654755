/** The patrol, put together: settings that a reload replaces, the lease, the worker. */
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { detectors } from '../../signals/detectors/index.ts';
import type { Config } from '../config/schema.ts';
import type { ModelOpener } from '../model/model-opener.ts';
import type { OnRunEvent } from '../patrol/events.ts';
import { createLease, type Lease } from '../patrol/lease.ts';
import { executeRun } from '../patrol/run.ts';
import type { RunDeps } from '../patrol/run-pass.ts';
import type { PatrolSettings } from '../patrol/settings.ts';
import { settingsFromConfig } from '../patrol/settings-from-config.ts';
import { createWorker, type Worker } from '../patrol/worker.ts';
import type { Clock } from '../runtime/clock.ts';
import type { NewId } from '../runtime/ids.ts';
import type { Logger } from '../runtime/logger.ts';
import { createProcessIdentity } from '../runtime/process-identity.ts';
import { sectionDefinitions, sourceDefinitions } from '../sources/index.ts';
import type { SourceDefinition, SourceState } from '../sources/source.ts';
import type { OpenStores } from './stores.ts';

export interface Essentials {
  readonly clock: Clock;
  readonly logger: Logger;
  readonly newId: NewId;
}

export const allSources = [
  ...sourceDefinitions,
  ...sectionDefinitions,
] as unknown as readonly SourceDefinition<never>[];

/** Of the machine that is watched as patrold's own: inside a container that is the one whose root is mounted. */
const localMachineId = ({ sources }: Config): string | null => {
  const root = sources.find(({ type }) => type === 'host')?.['root'];
  for (const file of ['etc/machine-id', 'var/lib/dbus/machine-id']) {
    try {
      const id = readFileSync(join(typeof root === 'string' ? root : '/', file), 'utf8').trim();
      if (id !== '') return id;
    } catch {
      // Not there, or not readable: the next place, or none, which sources treat as unknown.
    }
  }
  return null;
};

const forgetful: SourceState = { get: () => undefined, set: () => undefined };

/** `stateOf: null`: sources are made only to look at the config, and remember nothing. */
export const createSettings = (
  config: Config,
  { clock, logger }: Essentials,
  stateOf: ((id: string) => SourceState) | null,
): PatrolSettings => {
  const machineId = localMachineId(config);
  return settingsFromConfig(config, {
    definitions: allSources,
    detectors,
    depsFor: (id) => ({
      clock,
      logger: logger.child({ source: id }),
      localMachineId: machineId,
      state: stateOf?.(id) ?? forgetful,
    }),
  });
};

export interface Patrol {
  readonly lease: Lease;
  readonly worker: Worker;
  readonly settings: () => PatrolSettings;
  readonly retryAtMs: () => number | null;
  /** The next run begins with these; sources of the old ones are closed when no run uses them. */
  replaceSettings(settings: PatrolSettings): void;
  close(): Promise<void>;
}

const closeSources = async ({ sources }: PatrolSettings, logger: Logger): Promise<void> => {
  const closed = await Promise.allSettled(sources.map(({ source }) => source.close()));
  for (const result of closed)
    if (result.status === 'rejected') logger.warn({ err: result.reason as unknown }, 'a source did not close');
};

/** Loaded when a model is opened for the first time; circuits live as long as the process. */
const createOpener = async (
  { clock }: Essentials,
  { spending }: OpenStores,
  dataDirectory: string,
): Promise<ModelOpener> => {
  const [{ createModelOpener }, { readOrCreateAliasKey }] = await Promise.all([
    import('../model/model-opener.ts'),
    import('../model/alias-key.ts'),
  ]);
  const aliasKey = (): string => readOrCreateAliasKey(join(dataDirectory, 'alias.key'));
  return createModelOpener({ clock, random: Math.random, spending, aliasKey });
};

export const createPatrol = (
  essentials: Essentials,
  stores: OpenStores,
  first: PatrolSettings,
  onEvent: OnRunEvent,
): Patrol => {
  const dataDirectory = dirname(stores.db.path);
  const { clock, logger, newId } = essentials;
  let current = first;
  let retryAtMs: number | null = null;
  let inUse: PatrolSettings | null = null;
  const lease = createLease(stores.db, newId(), createProcessIdentity());
  let opener: Promise<ModelOpener> | null = null;
  const openModel: RunDeps['openModel'] = async (settings, names) => {
    opener ??= createOpener(essentials, stores, dataDirectory);
    return (await opener).open(settings, names);
  };
  const deps = {
    ...stores,
    openModel,
    clock,
    logger,
    onEvent,
    settings: () => current,
    onRetryAt: (atMs: number | null) => {
      retryAtMs = atMs;
    },
  };
  const worker = createWorker({
    clock,
    logger,
    lease,
    newId,
    queue: stores.queue,
    runs: stores.runs,
    execute: async (request, runId, signal) => {
      const used = current;
      inUse = used;
      try {
        return await executeRun(deps, request, runId, signal);
      } finally {
        inUse = null;
        if (used !== current) await closeSources(used, logger);
      }
    },
  });
  return {
    lease,
    worker,
    settings: () => current,
    retryAtMs: () => retryAtMs,
    replaceSettings: (settings) => {
      const old = current;
      current = settings;
      if (inUse !== old) void closeSources(old, logger);
    },
    close: () => closeSources(current, logger),
  };
};
