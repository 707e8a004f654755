/** Readings of containers, as their engine or an exporter tells them. */
import type { Averaged } from './averaged.ts';

/** State of one container as its engine tells it. */
export interface ContainerReading {
  readonly kind: 'container';
  /** The engine's id of this very container: a recreated one has another. */
  readonly instanceId: string;
  readonly state: 'created' | 'running' | 'paused' | 'restarting' | 'removing' | 'exited' | 'dead';
  /** `none` where no health check is defined. */
  readonly health: 'none' | 'starting' | 'healthy' | 'unhealthy';
  /** When the present unhealthy streak began, where the engine's log tells. */
  readonly unhealthySinceMs: number | null;
  readonly lastProbeOutput: string | null;
  readonly exitCode: number | null;
  readonly startError: string | null;
  readonly oomKilled: boolean;
  readonly restartCount: number;
  readonly restartPolicy: 'no' | 'always' | 'unless-stopped' | 'on-failure';
  /** Retries that `on-failure` allows; 0 is unlimited. */
  readonly maxRetries: number;
  readonly createdAtMs: number;
  readonly startedAtMs: number | null;
  readonly finishedAtMs: number | null;
  /** The last stop or kill that somebody asked for, as events tell it; null where none is known. */
  readonly stopRequestedAtMs: number | null;
  /**
   * From when on such a request would be known. Null or absent: nothing is known. An end before it, without a known
   * request, may still have been asked for.
   */
  readonly stopsKnownSinceMs?: number | null;
}

/** Memory of a container against its own limit. */
export interface ContainerMemoryReading extends Averaged {
  readonly kind: 'container_memory';
  readonly workingSetBytes: number;
  /** Null: no limit was set. */
  readonly limitBytes: number | null;
}
