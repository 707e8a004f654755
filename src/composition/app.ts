/** The app that commands are given: config, stores and patrol, each made when it is first asked for. */
import { chmodSync, existsSync } from 'node:fs';
import { userInfo } from 'node:os';
import { detectors } from '../../signals/detectors/index.ts';
import type { App, GlobalFlags } from '../cli/app.ts';
import { createTerminal } from '../cli/terminal.ts';
import { type LoadedConfig, loadConfig } from '../config/load.ts';
import type { OverridablePath, Override } from '../config/overrides.ts';
import { formatProblem } from '../config/problem.ts';
import { createConfigSchema } from '../config/schema.ts';
import { modelSettings } from '../model/model-settings.ts';
import { systemClock } from '../runtime/clock.ts';
import { openDatabase } from '../runtime/database.ts';
import { PatroldError } from '../runtime/errors.ts';
import { createIds } from '../runtime/ids.ts';
import { createLogger, LOG_LEVELS, type LogLevel } from '../runtime/logger.ts';
import { backupsSource } from '../sources/backups/backups-source.ts';
import { checksSource } from '../sources/checks/checks-source.ts';
import { sourceDefinitions } from '../sources/index.ts';
import { checkConfig } from './config-checks.ts';
import { findConfig, readConfig } from './config-file.ts';
import { databasePath, defaultDataDirectory } from './data-directory.ts';
import { createPatrol, createSettings, type Essentials } from './patrol.ts';
import type { ProcessPorts } from './process-ports.ts';
import { runOnceOrUnkept } from './run-unkept.ts';
import { serve } from './serve.ts';
import { type OpenStores, openStores } from './stores.ts';
import { tokensOf } from './tokens.ts';

const FLAG_PATHS: readonly (readonly [keyof GlobalFlags, OverridablePath, string])[] = [
  ['data', 'data.directory', '--data'],
  ['listen', 'http.listen', '--listen'],
  ['logLevel', 'log.level', '--log-level'],
];

const flagOverrides = (flags: GlobalFlags): readonly Override[] =>
  FLAG_PATHS.flatMap(([flag, path, origin]) => {
    const value = flags[flag];
    return typeof value === 'string' ? [{ path, value, origin }] : [];
  });

/** Throws `config_invalid` with every problem in its message. */
export const readWholeConfig = (flags: GlobalFlags, { env }: Pick<ProcessPorts, 'env'>): LoadedConfig => {
  const schema = createConfigSchema({
    sources: sourceDefinitions,
    checks: checksSource.configSchema,
    backups: backupsSource.configSchema,
    detectors,
  });
  const path = findConfig(flags.config, env);
  const result = loadConfig({ file: readConfig(path), env, flags: flagOverrides(flags), schema, check: checkConfig });
  if (result.kind === 'loaded') return result;
  const problems = result.problems.map((problem) => `  ${formatProblem(problem, result.path)}`);
  throw new PatroldError(
    'config_invalid',
    `${problems.length === 1 ? 'the config has a problem' : `the config has ${problems.length} problems`}:\n${problems.join('\n')}`,
  );
};

const once = <T>(make: () => T): (() => T) => {
  let made: { readonly value: T } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
};

const levelOf = (flags: GlobalFlags, config: LoadedConfig | null, isDaemon: boolean): LogLevel => {
  const written = LOG_LEVELS.find((level) => level === flags.logLevel) ?? config?.config.log.level ?? 'info';
  // A person at a shell sees progress and results; the log is for the daemon, and for whoever asks for it.
  return isDaemon || flags.logLevel !== undefined ? written : 'error';
};

export const createApp = (flags: GlobalFlags, ports: ProcessPorts): App => {
  const { env, stdout, stderr } = ports;
  const terminal = createTerminal({ stdout, stderr, env, colour: flags.color ?? null });
  const clock = systemClock;
  const newId = createIds(clock.nowMs);
  const config = once(() => readWholeConfig(flags, ports));
  const essentials = (isDaemon: boolean): Essentials => ({
    clock,
    newId,
    logger: createLogger({ level: levelOf(flags, config(), isDaemon), clock }),
  });
  const quiet = once(() => essentials(false));
  const directory = once(() => config().config.data.directory ?? defaultDataDirectory(env, ports.isRoot));
  const detectorTypes = new Set(detectors.map(({ type }) => type));
  const stores = once(
    (): OpenStores =>
      openStores(openDatabase({ path: databasePath(directory()), logger: quiet().logger }), newId, detectorTypes),
  );
  const settings = once(() => createSettings(config().config, quiet(), null));

  return {
    terminal,
    clock,
    user: userInfo().username,
    interrupted: ports.interrupted,
    config,
    settings,
    stores: () => {
      const open = stores();
      return {
        ...open,
        tokens: tokensOf(open.db, quiet()),
        path: open.db.path,
        backUpTo: (target) => backUp(open, target),
      };
    },
    checkModel: async (onResult) => {
      const model = modelSettings(config().config.model);
      if (model === null) return null;
      const { checkModel } = await import('../model/check/check-model.ts');
      return checkModel(model, { clock, random: Math.random, signal: ports.interrupted, onResult });
    },
    runOnce: (request) =>
      runOnceOrUnkept(
        {
          essentials: quiet(),
          openStores: stores,
          detectorTypes,
          createPatrolOn: (open, onEvent) =>
            createPatrol(quiet(), open, createSettings(config().config, quiet(), open.sources.stateOf), onEvent),
        },
        request,
      ),
    serve: ({ showFirstRun }) =>
      serve(
        {
          essentials: essentials(true),
          config: config(),
          reloadConfig: () => readWholeConfig(flags, ports),
          directory: directory(),
          stores: stores(),
          terminal,
          ports,
        },
        showFirstRun,
      ),
  };
};

const backUp = ({ db }: OpenStores, target: string): void => {
  if (existsSync(target)) throw new PatroldError('wrong_usage', `${target} is there already; name a new file`);
  db.backUpTo(target);
  chmodSync(target, 0o600);
};
