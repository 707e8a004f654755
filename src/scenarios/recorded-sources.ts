/** The sources of a scenario, made anew for each run from what is recorded by then. */
import { join } from 'node:path';
import { PatroldError } from '../runtime/errors.ts';
import type { BackupsConfig } from '../sources/backups/backups-config.ts';
import { createBackupsSource } from '../sources/backups/backups-source.ts';
import { toCheck } from '../sources/checks/check.ts';
import type { ChecksConfig } from '../sources/checks/checks-config.ts';
import { createChecksSource } from '../sources/checks/checks-source.ts';
import { createRecordedDockerSource } from '../sources/docker/recorded-docker.ts';
import { createRecordedCommandRunner } from '../sources/host/recorded-command-runner.ts';
import { createRecordedHostSource } from '../sources/host/recorded-host.ts';
import { openRecording } from '../sources/host/recording.ts';
import { createRecordedPrometheusSource } from '../sources/prometheus/recorded-prometheus.ts';
import type { Source, SourceDefinition, SourceDeps } from '../sources/source.ts';
import type { Scenario } from './scenario-file.ts';

export interface RecordedSourcesDeps {
  readonly directory: string;
  readonly recordedAtMs: number;
  /** Why a source does not answer now; null: it does. */
  readonly failureOf: (sourceId: string) => string | null;
}

type Make = (id: string, config: unknown, deps: SourceDeps) => Source;

const orFailing = (source: Source, failureOf: RecordedSourcesDeps['failureOf']): Source => ({
  ...source,
  survey: async (request) => {
    const failure = failureOf(source.id);
    if (failure !== null) throw new PatroldError('source_not_answering', failure);
    return source.survey(request);
  },
});

const makers = ({ directory, recordedAtMs }: RecordedSourcesDeps): Readonly<Record<string, Make>> => {
  const at = (id: string): { readonly directory: string; readonly recordedAtMs: number } => ({
    directory: join(directory, id),
    recordedAtMs,
  });
  const runner = (id: string, { clock }: SourceDeps) =>
    createRecordedCommandRunner(openRecording({ ...at(id), nowMs: clock.nowMs }));
  return {
    host: (id, config, deps) => createRecordedHostSource({ ...deps, ...at(id), id, config: config as never }),
    docker: (id, config, deps) => createRecordedDockerSource({ ...deps, ...at(id), id, config: config as never }),
    prometheus: (id, config, deps) =>
      createRecordedPrometheusSource({ ...deps, ...at(id), id, config: config as never }),
    checks: (id, config, deps) => createChecksSource(id, (config as ChecksConfig).map(toCheck), deps, runner(id, deps)),
    backups: (id, config, deps) => createBackupsSource(id, config as BackupsConfig, deps, runner(id, deps)),
  };
};

/** The real definitions, with their schemas and paces, that make recorded sources instead of real ones. */
export const recordedDefinitions = (
  definitions: readonly SourceDefinition<never>[],
  deps: RecordedSourcesDeps,
): readonly SourceDefinition<never>[] => {
  const make = makers(deps);
  return definitions.map((definition) => ({
    ...definition,
    create: (id, config, sourceDeps) => {
      const maker = make[definition.type];
      if (maker === undefined) throw new TypeError(`no recorded source of type ${definition.type}`);
      return orFailing(maker(id, config, sourceDeps), deps.failureOf);
    },
  }));
};

/** `sources:` of the config that a scenario stands for. */
export const sourceEntries = (scenario: Scenario): readonly Readonly<Record<string, unknown>>[] =>
  Object.entries(scenario.sources)
    .filter(([, { type }]) => type !== 'commands')
    .map(([id, { type }]) => ({ id, type, ...(type === 'prometheus' ? { url: 'http://recorded.invalid:9090' } : {}) }));
