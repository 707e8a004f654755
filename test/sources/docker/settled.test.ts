import { describe, expect, it } from 'vitest';
import { inspectedSchema, listedSchema } from '../../../src/sources/docker/container-schema.ts';
import { dockerLimits } from '../../../src/sources/docker/docker-limits.ts';
import { keepInspections, keptInspectionsSchema, stillHolds } from '../../../src/sources/docker/settled.ts';
import { containerId, inspectedAnswer, listedAnswer } from '../../support/scripted-engine.ts';

const MINUTE = 60_000;
const kept = { inspected: inspectedSchema.parse(inspectedAnswer(1, { Status: 'exited', ExitCode: 1 })), atMs: 0 };
const listed = (State: string, Status: string) => listedSchema.parse(listedAnswer(1, 'web', { State, Status }));

describe('stillHolds', () => {
  it.each(['About an hour', '2 hours', '47 hours', '3 days', '2 weeks', '5 months', '2 years'])(
    'takes an exit %s ago for the one that was inspected five minutes ago',
    (age) => {
      expect(stillHolds(kept, listed('exited', `Exited (1) ${age} ago`), 5 * MINUTE)).toBe(kept.inspected);
    },
  );

  it.each(['Less than a second', '1 second', '40 seconds', 'About a minute', '59 minutes'])(
    'asks again after an exit %s ago, which may be another',
    (age) => {
      expect(stillHolds(kept, listed('exited', `Exited (1) ${age} ago`), 5 * MINUTE)).toBeNull();
    },
  );

  it.each([
    ['it runs', kept, listed('running', 'Up 2 hours'), 5 * MINUTE],
    ['it was not inspected', undefined, listed('exited', 'Exited (0) 2 hours ago'), 5 * MINUTE],
    ['the inspection is older than an exit could hide', kept, listed('exited', 'Exited (0) 2 hours ago'), 46 * MINUTE],
    ['the clock was set back', kept, listed('exited', 'Exited (0) 2 hours ago'), -1],
    ['the list says nothing of its age', kept, listed('exited', ''), 5 * MINUTE],
    ['the list speaks of something else', kept, listed('exited', 'Exited (0) 2 hours ago, or so'), 5 * MINUTE],
    ['it was only created, and may have failed to start since', kept, listed('created', 'Created'), 5 * MINUTE],
  ])('asks again where %s', (_why, before, now, nowMs) => {
    expect(stillHolds(before, now, nowMs)).toBeNull();
  });
});

describe('keepInspections', () => {
  it('keeps what exited, without the outputs of probes', () => {
    const Health = { Status: 'unhealthy', FailingStreak: 0, Log: [{ Start: '', End: '', ExitCode: 1, Output: 'x' }] };
    const exited = inspectedSchema.parse(inspectedAnswer(1, { Status: 'exited', Health }));
    const running = inspectedSchema.parse(inspectedAnswer(2));
    const inspections = keepInspections([
      { inspected: exited, atMs: 1 },
      { inspected: running, atMs: 1 },
    ]);
    expect(Object.keys(inspections)).toEqual([containerId(1)]);
    expect(JSON.stringify(inspections)).not.toContain('Health');
    expect(keptInspectionsSchema.safeParse(JSON.parse(JSON.stringify(inspections))).success).toBe(true);
  });

  it('stays below what a key of the state may hold, however much an engine says', () => {
    const many = Array.from({ length: 3_000 }, (_, index) => ({
      inspected: inspectedSchema.parse(
        inspectedAnswer(index + 1, { Status: 'exited', Error: 'e'.repeat(50_000) }, { CpusetCpus: '1,'.repeat(450) }),
      ),
      atMs: 1,
    }));
    const inspections = keepInspections(many);
    expect(Object.keys(inspections)).toHaveLength(dockerLimits.keptInspections);
    expect(JSON.stringify(inspections).length).toBeLessThan(2 ** 20);
  });
});
