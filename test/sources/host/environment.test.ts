import { expect, test } from 'vitest';
import { readEnvironment } from '../../../src/sources/host/environment.ts';
import { type MemoryRoot, memoryRoot } from '../../support/memory-root.ts';

const mountinfo = (root: string) => ({ '/proc/1/mountinfo': `${root}\n` });
const OVERLAY = '500 400 0:61 / / rw,relatime - overlay overlay rw,lowerdir=/a,upperdir=/b';
const DISK = '27 1 254:0 / / rw,relatime - ext4 /dev/vda rw';

test.each<[string, string | null, MemoryRoot]>([
  ['a bare machine', null, { files: mountinfo(DISK) }],
  ['LXC with systemd', 'lxc', { files: { '/run/systemd/container': 'lxc\n' } }],
  ['nspawn', 'systemd-nspawn', { files: { '/run/host/container-manager': 'systemd-nspawn' } }],
  ['LXC without systemd, as root', 'lxc', { files: { '/proc/1/environ': 'PATH=/bin\0container=lxc\0TERM=x\0' } }],
  [
    'LXC without systemd, as anybody',
    'lxc',
    {
      files: mountinfo('510 500 0:45 /proc/meminfo /proc/meminfo rw,nosuid - fuse.lxcfs lxcfs rw'),
      denied: ['/proc/1/environ'],
    },
  ],
  ['docker', 'docker', { files: { ...mountinfo(OVERLAY), '/.dockerenv': '' } }],
  ['podman', 'podman', { files: { ...mountinfo(OVERLAY), '/run/.containerenv': '' } }],
  ['a virtual machine made from a docker image', null, { files: { ...mountinfo(DISK), '/.dockerenv': '' } }],
  [
    'such a machine, to a service that does not see process 1',
    null,
    { files: { '/proc/self/mountinfo': `${DISK}\n`, '/.dockerenv': '' } },
  ],
  [
    'a docker container with that of its host hidden',
    'docker',
    { files: { '/proc/self/mountinfo': `${OVERLAY}\n`, '/.dockerenv': '' } },
  ],
  ['a Linux on Windows', null, { files: { ...mountinfo(DISK), '/run/systemd/container': 'wsl' } }],
])('%s is %s', async (_, container, machine) => {
  expect(await readEnvironment(memoryRoot(machine))).toEqual({ container });
});
