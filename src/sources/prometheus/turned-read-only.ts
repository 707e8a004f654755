/**
 * Filesystems that were writable once and are read-only now.
 *
 * `node_filesystem_readonly` is 0 only where both the mount and its superblock are writable: that is proof. A 1 can be
 * either, seen from the exporter's mount namespace, so it counts only where this very mount was writable before: by
 * Prometheus' memory, or by ours once that has run out. What was never seen writable is out of scope.
 */
import { z } from 'zod';
import type { SourceState } from '../source.ts';
import type { SeriesAnswer } from './answer.ts';
import { mountKey } from './mounts.ts';
import { prometheusLimits } from './prometheus-limits.ts';

const STATE_KEY = 'turned-read-only';

export interface TurnedReadOnly {
  has(key: string): boolean;
  /** Call for each that is still so, then `keep`. */
  see(key: string): void;
  keep(): void;
}

export const createTurnedReadOnly = (past: readonly SeriesAnswer[], state: SourceState): TurnedReadOnly => {
  const known = new Set(z.array(z.string()).safeParse(state.get(STATE_KEY)).data ?? []);
  for (const { labels, points } of past) if (points.some(({ value }) => value === 0)) known.add(mountKey(labels));
  const seen = new Set<string>();
  return {
    has: (key) => known.has(key),
    see: (key) => {
      seen.add(key);
    },
    keep: () => state.set(STATE_KEY, [...seen].slice(0, prometheusLimits.rememberedFilesystems)),
  };
};
