import { expect, test, vi } from 'vitest';
import { runReportSchema } from '../../src/patrol/report.ts';
import { STAGES } from '../../src/patrol/run-record.ts';
import { PatroldError } from '../../src/runtime/errors.ts';
import { arrays, openScriptedPatrol, type Survey } from '../support/scripted-patrol.ts';

const md = (at: { clock: { nowMs(): number } }, active: Readonly<Record<string, number>>) => (): ReturnType<Survey> =>
  arrays(active, at.clock.nowMs());

const failing: Survey = () => {
  throw new PatroldError('source_not_answering', 'connection refused');
};

const open = async (active: Readonly<Record<string, number>> = { md0: 1, md1: 2 }) => {
  const house = openScriptedPatrol({});
  house.scripts['box'] = md(house, active);
  const first = await house.look();
  return { ...house, first };
};

test('a run passes every stage in order, and its report keeps to its public schema', async () => {
  const { first, stores, tellOf } = await open();
  expect(runReportSchema.safeParse(first).error).toBeUndefined();
  expect(first.run.stages.map(({ name }) => name)).toEqual(STAGES);
  expect(first.run).toMatchObject({ state: 'completed', status: 'critical' });
  expect(tellOf(first)).toEqual(['md0 raid_degraded active']);
  expect(stores.runs.get(first.run.id)?.stages.map(({ name }) => name)).toEqual(STAGES);
  expect(JSON.parse(stores.runs.report(first.run.id) ?? '')).toMatchObject({ findings: [{ key: 'raid_degraded' }] });
});

test('what is clear resolves, and what was seen again is the same finding', async () => {
  const house = await open();
  const again = await house.look();
  expect(again.findings.map(({ id }) => id)).toEqual(house.first.findings.map(({ id }) => id));
  house.scripts['box'] = md(house, { md0: 2, md1: 2 });
  const well = await house.look();
  expect(house.tellOf(well)).toEqual(['md0 raid_degraded resolved']);
  expect(well.run.status).toBe('healthy');
});

test('a whole list that no longer holds a resource makes it gone at the second look, and its finding with it', async () => {
  const house = await open();
  house.scripts['box'] = md(house, { md1: 2 });
  expect(house.tellOf(await house.look())).toEqual(['md0 raid_degraded active stale']);
  expect(house.tellOf(await house.look())).toEqual(['md0 raid_degraded resolved']);
  expect((await house.look()).findings).toEqual([]);
});

test.each<[string, (house: Awaited<ReturnType<typeof open>>) => Survey]>([
  ['failed', () => failing],
  [
    'partial',
    (house) => () =>
      arrays({}, house.clock.nowMs(), {
        listed: [],
        gaps: [{ ref: null, reads: [], code: 'timed_out', reason: 'slow' }],
      }),
  ],
  ['without a whole list', (house) => () => arrays({ md1: 2 }, house.clock.nowMs(), { listed: [] })],
])('surveys that are %s neither resolve nor raise anything on what they did not show', async (_what, scriptOf) => {
  const house = await open();
  house.scripts['box'] = scriptOf(house);
  for (let round = 0; round < 4; round += 1) {
    const report = await house.look();
    expect(house.tellOf(report)).toContain('md0 raid_degraded active stale');
    expect(report.findings.filter(({ key }) => key === 'raid_degraded')).toHaveLength(1);
    expect(report.run.status).not.toBe('healthy');
  }
});

test('an empty list after a full one is not believed the first time', async () => {
  const house = await open();
  house.scripts['box'] = md(house, {});
  const first = await house.look();
  expect(house.tellOf(first)).toEqual(['md0 raid_degraded active stale']);
  expect(first.run.coverage?.sources[0]).toMatchObject({ outcome: 'partial' });
  house.scripts['box'] = md(house, { md0: 1, md1: 2 });
  expect(house.tellOf(await house.look())).toEqual(['md0 raid_degraded active']);
});

test('a list that stays empty is believed in the end', async () => {
  const house = await open();
  house.scripts['box'] = md(house, {});
  const told: string[] = [];
  for (let round = 0; round < 4; round += 1) told.push(...house.tellOf(await house.look()));
  expect(told).toContain('md0 raid_degraded resolved');
});

test('a scoped run leaves what is out of its scope as it is', async () => {
  const house = await open({ md0: 1, md1: 1 });
  const [one] = house.first.findings;
  house.scripts['box'] = md(house, { md0: 2, md1: 2 });
  const report = await house.look({ scope: { ids: [one?.resourceId ?? ''], kinds: [], sources: [], tags: [] } });
  expect(report.findings.map(({ resourceName, state }) => `${resourceName} ${state}`)).toEqual([
    `${one?.resourceName} resolved`,
  ]);
  expect(house.stores.findings.active()).toHaveLength(1);
});

test('a run scoped to one source does not ask the others, and takes nothing of theirs for gone', async () => {
  const house = await open();
  let asked = 0;
  house.scripts['other'] = () => {
    asked += 1;
    return arrays({ md9: 1 }, house.clock.nowMs());
  };
  await house.look();
  for (let round = 0; round < 3; round += 1)
    await house.look({ scope: { ids: [], kinds: [], sources: ['box'], tags: [] } });
  expect(asked).toBe(1);
  expect(house.stores.findings.active().map(({ key }) => key)).toEqual(['raid_degraded', 'raid_degraded']);
});

test('two sources that prove the same thing give one resource and one finding, the worst answer counting', async () => {
  const house = await open({ md0: 2 });
  house.scripts['other'] = () => arrays({ array: 1 }, house.clock.nowMs(), { keys: { array: ['md-uuid:md0'] } });
  const report = await house.look();
  expect(report.findings).toHaveLength(1);
  expect(house.stores.inventory.load().resources.get(report.findings[0]?.resourceId as never)?.sourceIds).toEqual([
    'box',
    'other',
  ]);
});

test('what only a source knew that was taken out of the config goes after two looks', async () => {
  const house = await open();
  house.scripts['other'] = md(house, { md9: 1 });
  await house.look();
  delete house.scripts['other'];
  await house.look();
  expect(house.tellOf(await house.look())).toContain('md9 raid_degraded resolved');
  expect(house.stores.findings.active()).toHaveLength(1);
});

test('resources that prove to be one take their findings, memories and past with them', async () => {
  const house = openScriptedPatrol({});
  house.scripts['a'] = () => arrays({ left: 1 }, house.clock.nowMs(), { keys: { left: ['md-uuid:1'] } });
  house.scripts['b'] = () => arrays({ right: 1 }, house.clock.nowMs(), { keys: { right: ['md-name:x'] } });
  const before = await house.look();
  expect(before.findings).toHaveLength(2);
  house.scripts['b'] = () => arrays({ right: 1 }, house.clock.nowMs(), { keys: { right: ['md-name:x', 'md-uuid:1'] } });
  const merged = await house.look();
  expect(merged.findings.filter(({ state }) => state === 'active')).toHaveLength(1);
  expect(new Set(house.stores.findings.active().map(({ resourceId }) => resourceId)).size).toBe(1);
  house.scripts['a'] = () => arrays({ left: 2 }, house.clock.nowMs(), { keys: { left: ['md-uuid:1'] } });
  house.scripts['b'] = () => arrays({ right: 2 }, house.clock.nowMs(), { keys: { right: ['md-name:x', 'md-uuid:1'] } });
  await house.look();
  expect(house.stores.findings.active()).toEqual([]);
});

test('a fault that clears in the very run of a merge is not remembered as raised', async () => {
  const house = openScriptedPatrol({});
  const left = (active: number) => () =>
    arrays({ left: active }, house.clock.nowMs(), { keys: { left: ['md-uuid:1'] } });
  house.scripts['a'] = left(2);
  house.scripts['b'] = () => arrays({ right: 1 }, house.clock.nowMs(), { keys: { right: ['md-name:x'] } });
  await house.look();
  house.scripts['b'] = () => arrays({ right: 2 }, house.clock.nowMs(), { keys: { right: ['md-name:x', 'md-uuid:1'] } });
  await house.look();
  const kept = house.stores.verdicts.load();
  for (const id of house.stores.inventory.load().resources.keys())
    expect(kept.of('raid_degraded', id)?.get('')).toBeUndefined();
  expect(house.stores.findings.active()).toEqual([]);
});

test('a quiet watch is counted and not kept; one that changed something, or that a person asked for, is kept', async () => {
  const house = await open({ md0: 2 });
  const quiet = await house.look({ kind: 'watch', trigger: 'schedule' });
  expect(house.stores.runs.get(quiet.run.id)).toBeNull();
  expect(house.stores.runs.quietWatches()).toMatchObject([{ count: 1, lastStatus: 'healthy' }]);
  const manual = await house.look({ kind: 'watch', trigger: 'manual' });
  expect(house.stores.runs.get(manual.run.id)?.state).toBe('completed');
  house.scripts['box'] = md(house, { md0: 1 });
  const loud = await house.look({ kind: 'watch', trigger: 'schedule' });
  expect(house.stores.runs.get(loud.run.id)).toMatchObject({ state: 'completed', status: 'critical' });
  expect(house.stores.runs.quietWatches()[0]?.count).toBe(1);
});

test('a stage that throws fails the run with its reason, keeps what it came to, and the next run goes well', async () => {
  const house = await open();
  const broken = {
    ...house.stores.samples,
    write: () => {
      throw new Error('disk full');
    },
  };
  house.scripts['box'] = md(house, { md0: 2, md1: 2 });
  const report = await house.look({}, { deps: { samples: broken } });
  expect(report.run).toMatchObject({ state: 'failed', status: 'error', reason: 'disk full' });
  expect(house.stores.findings.active()).toHaveLength(1);
  const kept = house.stores.runs.get(report.run.id);
  expect(kept).toMatchObject({ state: 'failed', reason: 'disk full' });
  expect(kept?.stages.map(({ name }) => name)).toEqual(STAGES);
  expect(kept?.stages.at(-1)).toMatchObject({ name: 'record', status: 'failed' });
  expect((await house.look()).run.state).toBe('completed');
});

test('a run that another process ended meanwhile keeps nothing of what it found', async () => {
  const house = await open({ md0: 2 });
  house.scripts['box'] = () => {
    house.stores.runs.interruptLeftovers('the process that ran it ended');
    return arrays({ md0: 1 }, house.clock.nowMs());
  };
  const report = await house.look();
  expect(report.run.state).toBe('cancelled');
  expect(house.stores.findings.active()).toEqual([]);
  expect(house.stores.runs.get(report.run.id)?.state).toBe('interrupted');
});

test('a run that is stopped is cancelled with the reason, and resolves nothing', async () => {
  const house = await open();
  const stop = new AbortController();
  house.scripts['box'] = () => {
    stop.abort(new PatroldError('run_cancelled', 'cancelled by request'));
    return arrays({ md1: 2, md0: 2 }, house.clock.nowMs());
  };
  const report = await house.look({}, { signal: stop.signal });
  expect(report.run).toMatchObject({ state: 'cancelled', reason: 'cancelled by request' });
  expect(house.stores.findings.active()).toHaveLength(1);
});

test('a run that takes too long fails, and no timer is left behind by any run', async () => {
  const house = await open();
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  try {
    const late = house.look(
      {},
      {
        deps: { settings: () => ({ ...house.settings(), runTimeoutMs: 10 }) },
      },
    );
    house.scripts['box'] = () => new Promise(() => undefined);
    for (let round = 0; round < 20; round += 1) {
      await new Promise((resolve) => setImmediate(resolve));
      await vi.advanceTimersByTimeAsync(1);
    }
    expect((await late).run).toMatchObject({ state: 'failed', reason: 'the run took longer than 0.01 s' });
    expect(vi.getTimerCount()).toBe(0);
  } finally {
    vi.useRealTimers();
  }
  expect(house.stores.findings.active()).toHaveLength(1);
});
