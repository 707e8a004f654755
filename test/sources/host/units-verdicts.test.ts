/** From what systemd says to the verdicts. */
import { expect, test } from 'vitest';
import { collectUnits } from '../../../src/sources/host/units.ts';
import { exited, hostContext, NOW_MS } from '../../support/host-context.ts';
import { createJudge } from '../../support/judge-sighting.ts';
import { createMemoryState } from '../../support/memory-state.ts';

const MINUTE_MS = 60_000;
const host = {
  ref: 'host',
  kind: 'host',
  name: 'nas',
  keys: [{ key: 'machine-id:m', scope: 'world', strength: 'proof' }],
};

/** As `systemctl show` prints it; `sinceMs` ago it entered its state. */
const unit = (name: string, active: string, sub: string, sinceMs: number, restarts = 0): string =>
  [
    `Result=${active === 'failed' ? 'exit-code' : 'success'}`,
    `NRestarts=${restarts}`,
    `Id=${name}`,
    'LoadState=loaded',
    `ActiveState=${active}`,
    `SubState=${sub}`,
    'UnitFileState=enabled',
    `StateChangeTimestampMonotonic=${(864_000_000 - sinceMs) * 1000}`,
    '',
  ].join('\n');

const daemon = () => {
  const judge = createJudge();
  const state = createMemoryState();
  let nowMs = NOW_MS;
  return async (waitMs: number, ...units: readonly string[]) => {
    const lastMs = nowMs;
    nowMs += waitMs;
    const clock = { nowMs: () => nowMs, monotonicMs: () => nowMs };
    const context = hostContext({ directories: ['/run/systemd/system'] }, [[/^systemctl/, exited(units.join('\n'))]], {
      state,
      nowMs,
      clock: { ...hostContext({}).clock, ...clock },
    });
    const part = await collectUnits(context);
    const claims = [{ ...part.claims[0], ...host, parentRef: null, expects: [], tags: [], facts: {} }, ...part.claims];
    return judge.judge({ ...part, series: [], claims } as Parameters<typeof judge.judge>[0], nowMs, lastMs).states;
  };
};

test('a unit that failed is told after five minutes, by systemd’s own time, until it runs again', async () => {
  const look = daemon();
  const name = 'web.service service_failed';
  expect(await look(0, unit('web.service', 'active', 'running', MINUTE_MS))).toMatchObject({ [name]: 'clear' });
  expect(await look(5 * MINUTE_MS, unit('web.service', 'failed', 'failed', MINUTE_MS))).toMatchObject({
    [name]: 'unobserved:confirming',
  });
  expect(await look(5 * MINUTE_MS, unit('web.service', 'failed', 'failed', 6 * MINUTE_MS))).toMatchObject({
    [name]: 'raised:warning',
  });
  expect(await look(5 * MINUTE_MS, unit('web.service', 'activating', 'start-pre', 1_000))).toMatchObject({
    [name]: 'unobserved:confirming',
  });
  expect(await look(5 * MINUTE_MS, unit('web.service', 'active', 'running', MINUTE_MS))).toMatchObject({
    [name]: 'clear',
  });
});

test('a unit that systemd restarts again and again is told after a quarter of an hour', async () => {
  const look = daemon();
  const name = 'web.service service_restarting';
  const states: (string | undefined)[] = [];
  for (const restarts of [2, 12, 22, 32]) {
    const other = unit('db.service', 'active', 'running', 86_400_000, 7);
    const all = await look(5 * MINUTE_MS, unit('web.service', 'activating', 'auto-restart', 5_000, restarts), other);
    states.push(all[name]);
    expect(all['db.service service_restarting']).toBe('clear');
  }
  expect(states).toEqual(['clear', 'unobserved:confirming', 'unobserved:confirming', 'raised:warning']);
  const calm = await look(10 * MINUTE_MS, unit('web.service', 'active', 'running', 9 * MINUTE_MS, 32));
  expect(calm).toMatchObject({ [name]: 'clear', 'web.service service_failed': 'clear' });
});
