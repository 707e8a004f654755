import { expect, test } from 'vitest';
import { OOM_PATTERN, oomKillsIn } from '../../../src/sources/host/oom-messages.ts';

const messages = (...texts: readonly string[]) => texts.map((text, index) => ({ atMs: index, text }));
const cause = (cgroup: string, pid: number) =>
  `oom-kill:constraint=CONSTRAINT_MEMCG,nodemask=(null),cpuset=/,mems_allowed=0,oom_memcg=${cgroup},task_memcg=${cgroup},task=x,pid=${pid},uid=0`;
const kill = (pid: number, name: string) =>
  `Memory cgroup out of memory: Killed process ${pid} (${name}) total-vm:1kB, anon-rss:1kB, file-rss:0kB, shmem-rss:0kB, UID:0 pgtables:1kB oom_score_adj:0`;

test('the cause and the kill are one, with the control group', () => {
  expect(oomKillsIn(messages(cause('/system.slice/web.service', 12), kill(12, 'node')))).toEqual([
    { atMs: 1, victim: 'node', cgroup: '/system.slice/web.service', inContainer: false },
  ]);
});

test.each([
  [`/system.slice/docker-${'a1'.repeat(32)}.scope`, true],
  [`/docker/${'a1'.repeat(32)}`, true],
  [`/own-parent/${'a1'.repeat(32)}`, true],
  ['/machine.slice/libpod-0123456789ab.scope', true],
  ['/kubepods.slice/kubepods-burstable.slice/cri-containerd-0a1b.scope', true],
  ['/lxc/101/ns/system.slice/nginx.service', true],
  ['/lxc.payload.web/init.scope', true],
  ['/machine.slice/machine-arch.scope', true],
  ['/qemu.slice/100.scope', false],
  ['/user.slice/user-1000.slice/session-3.scope', false],
  ['/', false],
])('the control group %s is a container’s: %s', (cgroup, inContainer) => {
  expect(oomKillsIn(messages(cause(cgroup, 7), kill(7, 'x')))).toMatchObject([{ cgroup, inContainer }]);
});

test('kernels before 5.0 name the group in a line of its own, and kill a child instead', () => {
  const old = messages(
    'Task in /docker/0123456789ab killed as a result of limit of /docker/0123456789ab',
    'Memory cgroup out of memory: Kill process 99 (java) score 900 or sacrifice child',
    'Killed process 99 (java) total-vm:1kB, anon-rss:1kB, file-rss:0kB',
  );
  expect(oomKillsIn(old)).toMatchObject([{ victim: 'java', cgroup: '/docker/0123456789ab', inContainer: true }]);
});

test('a group that is killed as a whole names itself once', () => {
  const lines = [
    'Tasks in /system.slice/web.service are going to be killed due to memory.oom.group set',
    kill(1, 'a'),
    kill(2, 'b'),
  ];
  expect(oomKillsIn(messages(...lines)).map(({ cgroup }) => cgroup)).toEqual([
    '/system.slice/web.service',
    '/system.slice/web.service',
  ]);
});

test('two kills do not take each other’s cause', () => {
  const kills = oomKillsIn(
    messages(
      cause('/a', 1),
      cause('/b', 2),
      kill(2, 'two'),
      kill(1, 'one'),
      'Out of memory: Killed process 3 (three) total-vm:1kB',
    ),
  );
  expect(kills.map(({ victim, cgroup }) => [victim, cgroup])).toEqual([
    ['two', '/b'],
    ['one', '/a'],
    ['three', null],
  ]);
});

test('other lines are none', () => {
  const others = messages(
    'oom_reaper: reaped process 12 (node), now anon-rss:0kB',
    'node invoked oom-killer: gfp_mask=0xcc0(GFP_KERNEL), order=0, oom_score_adj=0',
    '[  12]  1000  12  100  10 1 0 0 node',
  );
  expect(oomKillsIn(others)).toEqual([]);
});

test('names are cleaned: a process calls itself what it likes', () => {
  expect(oomKillsIn(messages(kill(1, 'x\u202e\u001b[31m')))).toMatchObject([{ victim: 'x' }]);
});

test('the pattern for the journal finds both lines', () => {
  const pattern = new RegExp(OOM_PATTERN);
  expect([cause('/a', 1), kill(1, 'x')].every((text) => pattern.test(text))).toBe(true);
  expect(pattern.test('usb 1-1: new device')).toBe(false);
});
