/** Health as the engine's own checks tell it. */
import { redactSecrets } from '../../runtime/redact-secrets.ts';
import { cleanText } from '../../runtime/text.ts';
import type { Health, HealthProbe } from './container-schema.ts';
import type { ContainerHealth } from './container-state.ts';
import { dockerLimits } from './docker-limits.ts';
import { instantMs } from './instant.ts';

export interface HealthFacts {
  readonly health: ContainerHealth;
  /** By the engine's clock. */
  readonly unhealthySinceMs: number | null;
  readonly lastProbeOutput: string | null;
}

/** Where the image or the container sets none (moby, daemon/health.go). */
const DEFAULT_RETRIES = 3;

/**
 * Null: the engine uses a word that is not known, and therefore has not said how the container is.
 * While no probe runs (paused, stopped) Docker writes `unhealthy` with a streak of 0 as a placeholder
 * (moby, container/health.go); that is no verdict, and reads as `starting`.
 */
export const healthFacts = (health: Health | null | undefined, retries: number | undefined): HealthFacts | null => {
  const log = health?.Log ?? [];
  const lastProbeOutput = outputOf(log.at(-1));
  const status = health?.Status ?? '';
  switch (status) {
    case '':
    case 'none':
      return { health: 'none', unhealthySinceMs: null, lastProbeOutput: null };
    case 'starting':
    case 'healthy':
      return { health: status, unhealthySinceMs: null, lastProbeOutput };
    case 'unhealthy': {
      const streak = health?.FailingStreak ?? 0;
      if (streak === 0) return { health: 'starting', unhealthySinceMs: null, lastProbeOutput };
      const unhealthySinceMs = unhealthySince(
        log,
        streak,
        retries === undefined || retries < 1 ? DEFAULT_RETRIES : retries,
      );
      return { health: 'unhealthy', unhealthySinceMs, lastProbeOutput };
    }
    default:
      return null;
  }
};

/**
 * When the failure came that made it unhealthy: the `retries`-th of the streak. The engine keeps the last few probes
 * and counts all; for a streak that began before the kept ones, the shortest distance between two of them is taken for
 * all that are missing, which is never longer ago than it was unless probes came closer before.
 */
const unhealthySince = (log: readonly HealthProbe[], streak: number, retries: number): number | null => {
  const ends = log.map(({ End }) => instantMs(End)).filter((end) => end !== null);
  const probesAgo = Math.max(0, streak - retries);
  const kept = ends[ends.length - 1 - probesAgo];
  if (kept !== undefined) return kept;
  const [oldest] = ends;
  if (oldest === undefined) return null;
  const apart = ends.slice(1).map((end, index) => end - (ends[index] ?? end));
  const shortestMs = apart.length === 0 ? 0 : Math.max(0, Math.min(...apart));
  return Math.round(oldest - shortestMs * (probesAgo - (ends.length - 1)));
};

const outputOf = (probe: HealthProbe | undefined): string | null =>
  cleanText(
    redactSecrets((probe?.Output ?? '').slice(0, 8 * dockerLimits.probeOutputLength)),
    dockerLimits.probeOutputLength,
  ) || null;
