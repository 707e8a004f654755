import { describe, expect, test } from 'vitest';
import { collectOomKills } from '../../../src/sources/host/oom-kills.ts';
import { type CommandAnswers, exited, hostContext, NOW_MS } from '../../support/host-context.ts';
import { createMemoryState } from '../../support/memory-state.ts';
import { surveyRequest } from '../../support/source-deps.ts';

const KILL = 'Out of memory: Killed process 12 (node) total-vm:1kB, anon-rss:1kB';
const entry = (atMs: number) => JSON.stringify({ __REALTIME_TIMESTAMP: String(atMs * 1_000), MESSAGE: KILL });
const systemd = { directories: ['/run/systemd/journal'] };
const ring = (secondsAgo: number, oldestSeconds = 0) => {
  const at = (864_000 - secondsAgo).toFixed(6);
  return exited(`<6>[    ${oldestSeconds}.000000] Linux version 6.1\n<3>[${at}] ${KILL}\n`);
};

test('kills since the last survey are told, older ones are not', async () => {
  const lines = `${entry(NOW_MS - 400_000)}\n${entry(NOW_MS - 200_000)}\n`;
  const { readings } = await collectOomKills(hostContext(systemd, [[/^journalctl/, exited(lines)]]));
  expect(readings).toMatchObject([
    { sinceMs: NOW_MS - 300_000, count: 1, kills: [{ atMs: NOW_MS - 200_000, victim: 'node' }] },
  ]);
});

test('the first survey looks back a day', async () => {
  const host = hostContext(systemd, [[/^journalctl/, exited('', 1)]], { request: surveyRequest() });
  expect((await collectOomKills(host)).readings).toMatchObject([{ sinceMs: NOW_MS - 86_400_000, count: 0, kills: [] }]);
});

describe('without a journal', () => {
  test('the kernel’s buffer is read', async () => {
    const { readings } = await collectOomKills(hostContext({}, [[/^dmesg/, ring(100)]]));
    expect(readings).toMatchObject([{ count: 1, kills: [{ atMs: NOW_MS - 100_000 }] }]);
  });

  test('a buffer that does not reach back proves nothing, and the counter speaks', async () => {
    const state = createMemoryState({ 'oom-counter': { bootId: 'boot-1', count: 3, atMs: NOW_MS - 300_000 } });
    const files = { '/proc/vmstat': 'nr_free_pages 1\noom_kill 5\n' };
    const { readings } = await collectOomKills(hostContext({ files }, [[/^dmesg/, ring(100, 863_800)]], { state }));
    expect(readings).toMatchObject([{ kills: null, count: 2, sinceMs: NOW_MS - 300_000 }]);
  });
});

describe('the counter', () => {
  const survey = (count: number, bootId: string, state = createMemoryState()) =>
    collectOomKills(hostContext({ files: { '/proc/vmstat': `oom_kill ${count}\n` } }, [], { state, bootId }));

  test('has a baseline at the first look', async () => {
    expect((await survey(7, 'a')).readings).toMatchObject([{ kills: null, count: 0, sinceMs: NOW_MS }]);
  });

  test('counts from nothing after a boot', async () => {
    const state = createMemoryState();
    await survey(7, 'a', state);
    expect((await survey(9, 'a', state)).readings).toMatchObject([{ count: 2 }]);
    expect((await survey(1, 'b', state)).readings).toMatchObject([{ count: 1 }]);
  });
});

test('a container has a counter of its own, and not its host’s', async () => {
  const files = {
    '/proc/vmstat': 'oom_kill 70\n',
    '/sys/fs/cgroup/memory.events': 'oom 2\noom_kill 2\noom_group_kill 0\n',
  };
  const state = createMemoryState({ 'oom-counter': { bootId: 'boot-1', count: 1, atMs: 5 } });
  const host = hostContext({ files }, [[/^dmesg/, ring(1)]], { state, environment: { container: 'lxc' } });
  expect((await collectOomKills(host)).readings).toMatchObject([{ kills: null, count: 1 }]);
});

test.each<[string, CommandAnswers, string]>([
  ['nothing is installed', [], 'not_installed'],
  [
    'the buffer is closed',
    [[/^dmesg/, exited('', 1, 'dmesg: read kernel buffer failed: Operation not permitted')]],
    'not_permitted',
  ],
  ['the buffer is empty', [[/^dmesg/, exited('')]], 'empty'],
])('where %s and there is no counter, it is a gap', async (_, answers, code) => {
  const part = await collectOomKills(hostContext({}, answers));
  expect(part).toMatchObject({ readings: [], gaps: [{ ref: 'host', reads: ['oom_kills'], code }] });
});
