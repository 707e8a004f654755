/** What the engine says its host and its containers are. */
import { claimDefaults, hint, type IdentityKey, proof, type ResourceClaim } from '../../../signals/claim.ts';
import type { ReadingKind } from '../../../signals/reading.ts';
import { cleanText } from '../../runtime/text.ts';
import type { NamedContainer } from './choose-containers.ts';
import { restartPolicy } from './container-reading.ts';
import type { Inspected } from './container-schema.ts';
import { type ContainerState, containerState, containerStatus } from './container-state.ts';
import { composeProject, containerTags } from './container-tags.ts';
import { dockerLimits } from './docker-limits.ts';
import type { Engine } from './engine.ts';

export const HOST_REF = 'host';

/** What tells whether the engine runs on the machine that patrold calls its own. */
export interface Locality {
  /** Null: it is reached over the network, or the machine's id is not known. */
  readonly machineId: string | null;
  /** Kernel of the machine that patrold runs on; null where that says nothing (recorded answers). */
  readonly kernelRelease: string | null;
  /** Where the engine is reached. */
  readonly origin: string;
}

/**
 * The engine's host. A local socket is this machine's, unless the engine has another kernel: Docker Desktop, Colima and
 * their like show a virtual machine's engine behind a local socket.
 */
export const hostClaim = (engine: Engine, locality: Locality): ResourceClaim => {
  const kernel = locality.kernelRelease;
  const here = kernel === null || engine.kernelRelease === null || engine.kernelRelease === kernel;
  const machine = locality.machineId !== null && here ? [proof(`machine-id:${locality.machineId}`)] : [];
  return {
    ...claimDefaults,
    ref: HOST_REF,
    kind: 'host',
    name: engine.hostName || locality.origin,
    slug: engine.hostName || null,
    keys: [...machine, ...engineKeys(engine, locality, machine.length > 0)],
    facts: { engine: engine.kind, engineVersion: engine.version, operatingSystem: engine.operatingSystem },
  };
};

/** One machine can hold two engines (rootful and rootless): beside a machine-id the engine's id proves nothing. */
const engineKeys = (engine: Engine, locality: Locality, proven: boolean): readonly IdentityKey[] => {
  if (engine.id !== null) {
    const key = `docker-engine:${engine.id}`;
    return [proven ? hint(key) : proof(key)];
  }
  return proven ? [] : [hint(`docker-endpoint:${locality.origin}`)];
};

/** What a container's claim says beside what the list says, once it was inspected. */
export interface ClaimDetails {
  readonly inspected: Inspected | null;
  readonly expects: readonly ReadingKind[];
}

/** A container, by its name on its host: a container that is made anew under the same name is the same thing. */
export const containerClaim = ({ name, listed }: NamedContainer, details: ClaimDetails): ResourceClaim => {
  const { inspected } = details;
  const state = containerState(inspected?.State.Status ?? listed.State);
  const labels = listed.Labels ?? {};
  const project = composeProject(labels);
  const policy = inspected === null ? null : restartPolicy(inspected.HostConfig);
  return {
    ...claimDefaults,
    ref: listed.Id,
    kind: 'container',
    name,
    parentRef: HOST_REF,
    slug: name,
    keys: [proof(`container-name:${name}`, 'parent')],
    status: statusOf(state, inspected),
    tags: containerTags(labels),
    expects: details.expects,
    facts: {
      image: cleanText(listed.Image ?? '', dockerLimits.factLength),
      ...(project === null ? {} : { composeProject: project }),
      ...(policy === null ? {} : { restartPolicy: policy }),
      ...(labels['com.docker.compose.oneoff'] === 'True' ? { oneOff: true } : {}),
    },
  };
};

const statusOf = (state: ContainerState | null, inspected: Inspected | null): ResourceClaim['status'] => {
  const word = inspected?.State.Health?.Status;
  const streak = inspected?.State.Health?.FailingStreak ?? 0;
  const health = word === 'unhealthy' && streak > 0 ? 'unhealthy' : word === 'starting' ? 'starting' : 'none';
  if (state === 'created' && (inspected?.State.Error ?? '') !== '') return 'failed';
  return containerStatus(state, health);
};
