import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { detectors } from '../../signals/detectors/index.ts';
import { packageRoot } from '../../src/runtime/package-root.ts';
import { loadScenarios } from '../../src/scenarios/load-scenarios.ts';
import { playScenario } from '../../src/scenarios/play.ts';
import { type Score, scoreOf } from '../../src/scenarios/score.ts';

const corpus = join(packageRoot(), 'scenarios');
const scenarios = loadScenarios(corpus);
const SEEDS = [
  'smart_failure',
  'high_cpu',
  'high_memory',
  'high_disk',
  'backup_failed',
  'backup_stale',
  'guest_unreachable',
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

  test.each([...new Set([...detectors.map(({ type }) => type), ...SEEDS])])(
    '%s is planted in at least two scenarios',
    (type) => {
      const planting = [...scores.values()].filter((score) =>
        score.detectors.some(({ detector }) => detector === type),
      );
      expect(planting.map(({ name }) => name).length).toBeGreaterThanOrEqual(2);
    },
  );
});
