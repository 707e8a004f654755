import { expect, test } from 'vitest';
import { collectCpu } from '../../../src/sources/host/cpu.ts';
import type { HostContext } from '../../../src/sources/host/host-context.ts';
import { createFakeClock } from '../../support/fake-clock.ts';
import { hostContext, NOW_MS } from '../../support/host-context.ts';
import { createMemoryState } from '../../support/memory-state.ts';
import { whileTimePasses } from '../../support/recorded-machine.ts';

const LATER = 'cpu  90 0 0 910 0 0 0 0 0 0\nbtime 1\n';
const procStat = (busy: number, idle: number) => ({
  ticks: { busy, idle, iowait: 0, steal: 0 },
  cpuCount: 1,
  bootedAtMs: 1_000,
});

const survey = async (more: Partial<HostContext>) => {
  const clock = createFakeClock(NOW_MS);
  const host = hostContext({ files: { '/proc/stat': LATER } }, [], { clock, ...more });
  return { host, part: await whileTimePasses(clock, collectCpu(host)) };
};

const remembered = (uptimeMs: number, bootId = 'boot-1') =>
  createMemoryState({ cpu: { bootId, uptimeMs, ticks: { busy: 0, idle: 0, iowait: 0, steal: 0 } } });

test('the mean since the last survey is taken where that is recent', async () => {
  const { part } = await survey({ procStat: procStat(25, 75), uptimeMs: 900_000, state: remembered(600_000) });
  expect(part.readings).toMatchObject([{ kind: 'cpu', busyRatio: 0.25, windowMs: 300_000, observedRatio: 1 }]);
});

test.each([
  ['it was a moment ago', remembered(890_000)],
  ['it was an hour ago', createMemoryState({ cpu: { bootId: 'boot-1', uptimeMs: -2_700_000, ticks: {} } })],
  ['the machine has booted since', remembered(600_000, 'boot-0')],
  ['nothing is remembered', createMemoryState()],
  ['nonsense is remembered', createMemoryState({ cpu: 'busy' })],
])('a second of its own is taken where %s', async (_, state) => {
  const { part } = await survey({ procStat: procStat(40, 860), uptimeMs: 900_000, state });
  expect(part.readings).toMatchObject([{ busyRatio: 0.5, windowMs: 1_000 }]);
});

test('what was read is remembered by uptime, so that a clock that was set does no harm', async () => {
  const { host } = await survey({ procStat: procStat(40, 860), uptimeMs: 900_000 });
  expect(host.state.get('cpu')).toMatchObject({ bootId: 'boot-1', uptimeMs: 900_000, ticks: { busy: 40 } });
});

test('counters that stand still are a gap', async () => {
  const { part } = await survey({ procStat: procStat(90, 910), uptimeMs: 900_000 });
  expect(part).toMatchObject({ readings: [], gaps: [{ reads: ['cpu'], code: 'malformed' }] });
});
