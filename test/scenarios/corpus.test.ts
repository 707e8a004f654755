import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { packageRoot } from '../../src/runtime/package-root.ts';
import { loadScenarios } from '../../src/scenarios/load-scenarios.ts';
import { playScenario } from '../../src/scenarios/play.ts';
import { type Score, scoreOf } from '../../src/scenarios/score.ts';

const corpus = join(packageRoot(), 'scenarios');
const scenarios = loadScenarios(corpus);
/** Detectors whose faults the corpus plants; the others are tested from source to verdict in their own files. */
const PLANTED = [
  'backup_failed',
  'backup_stale',
  'bond_degraded',
  'certificate_expiring',
  'check_failed',
  'clock_skew',
  'container_exited',
  'container_memory',
  'container_restarting',
  'container_unhealthy',
  'disk_filling',
  'filesystem_read_only',
  'guest_unreachable',
  'high_cpu',
  'high_disk',
  'high_memory',
  'inodes_low',
  'memory_errors',
  'oom_kill',
  'raid_degraded',
  'service_failed',
  'service_restarting',
  'smart_failure',
  'source_unavailable',
  'target_down',
  'temperature_high',
  'thin_pool_full',
  'unexpected_reboot',
  'zfs_unhealthy',
];
const scores = new Map<string, Score>();

describe('the corpus', () => {
  test.each(scenarios.map((loaded) => [loaded.name, loaded] as const))(
    '%s is judged as it says',
    async (_name, loaded) => {
      const score = scoreOf(loaded, await playScenario(corpus, loaded, { moving: true }));
      scores.set(loaded.name, score);
      expect(score.complaints).toEqual([]);
      expect(score.found).toBe(score.planted);
    },
    30_000,
  );

  test('has at least forty scenarios', () => {
    expect(scenarios.length).toBeGreaterThanOrEqual(40);
  });

  test.each(PLANTED)('%s is planted in at least two scenarios', (type) => {
    const planting = [...scores.values()].filter((score) => score.detectors.some(({ detector }) => detector === type));
    expect(planting.length).toBeGreaterThanOrEqual(2);
  });

  test('plants no finding of a detector that it does not name', () => {
    const planted = new Set([...scores.values()].flatMap((score) => score.detectors.map(({ detector }) => detector)));
    expect([...planted].toSorted()).toEqual(PLANTED.toSorted());
  });
});
