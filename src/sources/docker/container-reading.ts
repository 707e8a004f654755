/** One container's state as a reading, with every instant brought to patrold's clock. */
import type { ContainerReading } from '../../../signals/reading.ts';
import { redactSecrets } from '../../runtime/redact-secrets.ts';
import { cleanText } from '../../runtime/text.ts';
import { healthFacts } from './container-health.ts';
import type { Inspected } from './container-schema.ts';
import { type ContainerState, containerState } from './container-state.ts';
import { dockerLimits } from './docker-limits.ts';
import { instantMs } from './instant.ts';

/** What the events told about it, by the engine's clock. */
export interface StopKnowledge {
  readonly requestedAtMs: number | null;
  /** From when on a stop that was asked for would be known; null: the events could not be read. */
  readonly knownSinceMs: number | null;
}

type RestartPolicy = ContainerReading['restartPolicy'];
const POLICIES: readonly RestartPolicy[] = ['no', 'always', 'unless-stopped', 'on-failure'];

export const restartPolicy = (host: Inspected['HostConfig']): RestartPolicy | null => {
  const name = host.RestartPolicy?.Name ?? '';
  return name === '' ? 'no' : (POLICIES.find((policy) => policy === name) ?? null);
};

/** A string: what the engine said that is not known, so that the container's state is unseen. */
export const containerReading = (
  inspected: Inspected,
  stops: StopKnowledge,
  clockOffsetMs: number,
): ContainerReading | string => {
  const { State: told } = inspected;
  const state = containerState(told.Status);
  if (state === null) return `state ${quoted(told.Status)} is not known`;
  const health = healthFacts(told.Health, inspected.Config?.Healthcheck?.Retries);
  if (health === null) return `health ${quoted(told.Health?.Status ?? '')} is not known`;
  const policy = restartPolicy(inspected.HostConfig);
  if (policy === null) return `restart policy ${quoted(inspected.HostConfig.RestartPolicy?.Name ?? '')} is not known`;
  const createdAtMs = instantMs(inspected.Created);
  if (createdAtMs === null) return `creation time ${quoted(inspected.Created)} can not be read`;
  const ours = (engineMs: number | null): number | null =>
    engineMs === null ? null : Math.round(engineMs - clockOffsetMs);
  const startError = startErrorOf(told.Error);
  return {
    kind: 'container',
    instanceId: inspected.Id,
    state,
    health: health.health,
    unhealthySinceMs: ours(health.unhealthySinceMs),
    lastProbeOutput: health.lastProbeOutput,
    exitCode: hasExitCode(state, startError) ? told.ExitCode : null,
    startError,
    oomKilled: told.OOMKilled,
    restartCount: inspected.RestartCount,
    restartPolicy: policy,
    maxRetries: inspected.HostConfig.RestartPolicy?.MaximumRetryCount ?? 0,
    createdAtMs: createdAtMs - clockOffsetMs,
    startedAtMs: ours(instantMs(told.StartedAt)),
    finishedAtMs: ours(instantMs(told.FinishedAt)),
    stopRequestedAtMs: ours(requestBefore(stops.requestedAtMs, instantMs(told.FinishedAt))),
    stopsKnownSinceMs: ours(stops.knownSinceMs),
  };
};

/** How much later than an end the engine may log the request that caused it. */
const LOGGED_LATE_MS = 5_000;

const requestBefore = (requestedAtMs: number | null, endedAtMs: number | null): number | null => {
  if (requestedAtMs === null || endedAtMs === null) return requestedAtMs;
  const late = requestedAtMs - endedAtMs;
  return late > 0 && late <= LOGGED_LATE_MS ? endedAtMs : requestedAtMs;
};

/** The engine writes 0 while it runs and before it ever ran; only after an end, or a failed start, is it a code. */
const hasExitCode = (state: ContainerState, startError: string | null): boolean => {
  switch (state) {
    case 'exited':
    case 'dead':
    case 'restarting':
    case 'removing':
      return true;
    case 'created':
      return startError !== null;
    case 'running':
    case 'paused':
      return false;
  }
};

const startErrorOf = (text: string | null | undefined): string | null =>
  cleanText(redactSecrets((text ?? '').slice(0, 8 * dockerLimits.reasonLength)), dockerLimits.reasonLength) || null;

const quoted = (word: string): string => `"${cleanText(word, 40)}"`;
