import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { healthFacts } from '../../../src/sources/docker/container-health.ts';
import type { HealthProbe } from '../../../src/sources/docker/container-schema.ts';

const T0 = Date.UTC(2026, 2, 1, 12);

const probe = (second: number, exitCode: number, output = ''): HealthProbe => ({
  Start: new Date(T0 + second * 1_000 - 100).toISOString(),
  End: new Date(T0 + second * 1_000).toISOString(),
  ExitCode: exitCode,
  Output: output,
});

const failing = (...seconds: readonly number[]): HealthProbe[] => seconds.map((second) => probe(second, 1));

describe('healthFacts', () => {
  it.each([undefined, null, { Status: '', FailingStreak: 0, Log: null }, { Status: 'none', FailingStreak: 0 }])(
    'tells none of %j',
    (health) => {
      expect(healthFacts(health, undefined)?.health).toBe('none');
    },
  );

  it('does not guess what a word means that it does not know', () => {
    expect(healthFacts({ Status: 'splendid', FailingStreak: 0 }, undefined)).toBeNull();
  });

  it("reads the engine's placeholder while no probe runs as no verdict", () => {
    expect(healthFacts({ Status: 'unhealthy', FailingStreak: 0 }, 3)).toEqual({
      health: 'starting',
      unhealthySinceMs: null,
      lastProbeOutput: null,
    });
  });

  it.each([
    ['the failure that filled up the retries, where it is kept', 3, 2, failing(10, 20, 30), T0 + 20_000],
    ['the only failure where one retry is enough', 1, 1, failing(50), T0 + 50_000],
    ['not the failures before the streak', 2, 2, [probe(10, 0), ...failing(20, 30)], T0 + 30_000],
    [
      'counted back by the shortest distance, where it is no longer kept',
      10,
      3,
      failing(100, 110, 125, 140, 150),
      T0 + 70_000,
    ],
    ['at the default of 3 retries where none is named', 3, undefined, failing(10, 20, 30), T0 + 30_000],
    ['unknown without a log', 3, 2, [], null],
    ['the one probe that is kept, where the others are not', 9, 3, failing(100), T0 + 100_000],
  ])('dates unhealthy to %s', (_what, FailingStreak, retries, Log, sinceMs) => {
    expect(healthFacts({ Status: 'unhealthy', FailingStreak, Log }, retries)?.unhealthySinceMs).toBe(sinceMs);
  });

  it('never dates a streak of even probes earlier than it began, however few of them are kept', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 400 }),
        fc.integer({ min: 1, max: 5 }),
        fc.integer({ min: 1, max: 60 }),
        (streak, retries, apart) => {
          if (streak < retries) return true;
          const all = failing(...Array.from({ length: streak }, (_, index) => index * apart));
          const since = healthFacts(
            { Status: 'unhealthy', FailingStreak: streak, Log: all.slice(-5) },
            retries,
          )?.unhealthySinceMs;
          return since === T0 + (retries - 1) * apart * 1_000;
        },
      ),
    );
  });

  it('shows the last output as one short line without secrets', () => {
    const Log = [probe(10, 1, 'old'), probe(20, 1, `\u001b[31mrefused\n  password=hunter2 ${'x'.repeat(9_000)}`)];
    const output = healthFacts({ Status: 'unhealthy', FailingStreak: 2, Log }, 1)?.lastProbeOutput ?? '';
    expect(output).toMatch(/^refused password=\[redacted\] x+…$/);
    expect(output.length).toBeLessThanOrEqual(500);
  });
});
