import { expect, test } from 'vitest';
import { collectMemory } from '../../../src/sources/host/memory.ts';
import { hostContext } from '../../support/host-context.ts';

const MEMINFO = 'MemTotal: 1000000 kB\nMemFree: 100000 kB\nMemAvailable: 400000 kB\n';

test('a container with a limit of its own is judged by it', async () => {
  const files = {
    '/proc/meminfo': MEMINFO,
    '/sys/fs/cgroup/memory.max': '536870912\n',
    '/sys/fs/cgroup/memory.current': '500000000\n',
    '/sys/fs/cgroup/memory.stat':
      'anon 100000000\nfile 300000000\ninactive_file 250000000\nactive_file 50000000\nslab_reclaimable 10000000\n',
  };
  const { readings } = await collectMemory(hostContext({ files }, [], { environment: { container: 'docker' } }));
  expect(readings).toMatchObject([{ totalBytes: 536_870_912, unavailableBytes: 190_000_000 }]);
});

test.each(['max\n', '99999999999999\n'])('a limit of %j is none', async (limit) => {
  const files = { '/proc/meminfo': MEMINFO, '/sys/fs/cgroup/memory.max': limit };
  const { readings } = await collectMemory(hostContext({ files }, [], { environment: { container: 'docker' } }));
  expect(readings).toMatchObject([{ totalBytes: 1_024_000_000 }]);
});

test('a file that cannot be read is a gap, not an empty memory', async () => {
  const { readings, gaps } = await collectMemory(hostContext({ denied: ['/proc/meminfo'] }));
  expect(readings).toEqual([]);
  expect(gaps).toMatchObject([{ ref: 'host', reads: ['memory'], code: 'malformed' }]);
});
