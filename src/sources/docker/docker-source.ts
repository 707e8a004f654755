/** Docker, or Podman's compatible service: containers, their health, their use. */
import { release } from 'node:os';
import { defineSource, type Source, type SourceDeps } from '../source.ts';
import { createEngineQuestions } from './ask-engine.ts';
import { HOST_REF } from './claims.ts';
import { readContainerLog } from './container-log.ts';
import type { DockerApi } from './docker-api.ts';
import { type DockerConfig, dockerConfigSchema } from './docker-config.ts';
import { readEngine } from './engine.ts';
import { listContainers } from './list-containers.ts';
import { createRealDockerApi, socketOf } from './real-docker-api.ts';
import { surveyDocker } from './survey-docker.ts';
import { DOCKER_READS } from './survey-gaps.ts';

const DEFAULT_TIMEOUT_MS = 60_000;

export interface DockerSourceOptions {
  readonly api: DockerApi;
  readonly config: DockerConfig;
  /** Kernel of this machine where it can be compared with the engine's; null for recorded answers. */
  readonly kernelRelease: string | null;
}

/** The source over any API: the real one, or a recorded one in scenarios. */
export const createDockerSource = (id: string, options: DockerSourceOptions, deps: SourceDeps): Source => {
  const { api, config, kernelRelease } = options;
  const { clock, state } = deps;
  const local = socketOf(config) !== null;
  return {
    id,
    type: 'docker',
    survey: (request) =>
      surveyDocker(
        {
          api,
          clock,
          state,
          locality: { machineId: local ? deps.localMachineId : null, kernelRelease },
          ignore: config.ignore,
          timeoutMs: config.timeout ?? DEFAULT_TIMEOUT_MS,
        },
        request,
      ),
    probe: async (signal) => {
      const ask = createEngineQuestions(api, signal);
      const engine = await readEngine(ask, clock);
      const { containers } = await listContainers(ask, engine);
      const running = containers.filter(({ State }) => State === 'running').length;
      return `${engine.kind} ${engine.version} (API ${engine.prefix.slice(2)}) on ${engine.hostName || HOST_REF}: ${containers.length} containers, ${running} running`;
    },
    readLog: (request) => readContainerLog({ api, clock }, request),
    close: async () => api.close(),
  };
};

export const dockerSource = defineSource<DockerConfig>({
  type: 'docker',
  configSchema: dockerConfigSchema,
  reads: DOCKER_READS,
  defaultTimeoutMs: DEFAULT_TIMEOUT_MS,
  create: (id, config, deps) =>
    createDockerSource(id, { api: createRealDockerApi(config, deps.clock), config, kernelRelease: release() }, deps),
});
