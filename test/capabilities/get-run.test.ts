import { expect, test } from 'vitest';
import { askDeclared } from '../support/declared-output.ts';
import { NOW_MS, openHouse } from '../support/http-house.ts';
import { DISK, HOST, seedRun } from '../support/seeded-store.ts';

interface Run {
  readonly run: { readonly id: string };
  readonly signals: readonly { readonly key: string; readonly resourceId: string }[];
  readonly unobserved: readonly { readonly resourceId: string; readonly reason: string }[];
}

test('a run comes with what it raised and what it could not see, and why', async () => {
  const house = await openHouse();
  seedRun(house, { id: 'run-1' });
  const { run, signals, unobserved } = await askDeclared<Run>(house, 'get_run', '/api/runs/run-1');
  expect(run.id).toBe('run-1');
  expect(signals).toMatchObject([{ key: 'high_cpu', resourceId: HOST, level: { value: 92, limit: 70 } }]);
  expect(unobserved).toHaveLength(3);
  expect(unobserved[0]).toMatchObject({ resourceId: DISK, reason: 'smartctl is missing' });
});

test('of a long list the first 200 come', async () => {
  const house = await openHouse();
  const unobserved = Array.from({ length: 300 }, (_, index) => ({
    resourceId: `r${index}`,
    detector: 'high_cpu',
    subject: null,
    code: 'timed_out',
    reason: 'no answer',
  }));
  seedRun(house, { id: 'run-1', unobserved });
  expect((await askDeclared<Run>(house, 'get_run', '/api/runs/run-1')).unobserved).toHaveLength(200);
});

test('a run that left no report has its record alone', async () => {
  const house = await openHouse();
  house.runs.begin({ id: 'run-1', requestId: 'r', kind: 'patrol', trigger: 'manual', scope: null }, NOW_MS);
  expect(await askDeclared<Run>(house, 'get_run', '/api/runs/run-1')).toMatchObject({ signals: [], unobserved: [] });
});

test('what another version wrote into a report is left out, and the rest told', async () => {
  const house = await openHouse();
  const known = { resourceId: 'r', detector: 'd', subject: null, code: 'stale', reason: 'old' };
  const report = { signals: 'none', verdicts: { unobserved: [{ reason: 7 }, known, null] } };
  seedRun(house, { id: 'run-1', report });
  expect(await askDeclared<Run>(house, 'get_run', '/api/runs/run-1')).toMatchObject({
    signals: [],
    unobserved: [known],
  });
});

test('an id that no run has is not found', async () => {
  const house = await openHouse();
  const { status, body } = await house.ask('/api/runs/nobody');
  expect([status, body]).toMatchObject([404, { error: 'run_not_found' }]);
});
