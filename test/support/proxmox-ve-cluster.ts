/** Answers of a small cluster; tests change what they are about. */
import type { AnswerTable } from './proxmox-answers.ts';
import {
  AUDITOR,
  ataSmart,
  certificates,
  DAY_S,
  GIB,
  NOW_S,
  NVME_TEXT,
  type Row,
  resources,
  rrd,
} from './proxmox-ve-rows.ts';

const nodeAnswers = (name: string): AnswerTable => ({
  [`/nodes/${name}/time`]: { time: NOW_S, localtime: NOW_S + 3600, timezone: 'Europe/Vienna' },
  [`/nodes/${name}/status`]: {
    uptime: 30 * DAY_S,
    pveversion: 'pve-manager/8.4.1/2a5fa54a8503f96d',
    loadavg: ['0.10', '0.20', '0.30'],
  },
  [`/nodes/${name}/rrddata`]: rrd(70, () => ({
    cpu: 0.05,
    iowait: 0.001,
    maxcpu: 16,
    memtotal: 64 * GIB,
    memused: 20 * GIB,
  })),
  [`/nodes/${name}/certificates/info`]: certificates(),
  [`/nodes/${name}/disks/lvmthin`]: [],
  [`/nodes/${name}/replication`]: [],
  [`/nodes/${name}/tasks`]: [],
});

/** Every night at one in Vienna, everything there is. */
export const nightly = (more: Row = {}): Row => ({
  id: 'backup-nightly',
  type: 'vzdump',
  enabled: 1,
  schedule: '01:00',
  storage: 'nas',
  mode: 'snapshot',
  all: 1,
  'next-run': NOW_S + 12 * 3_600,
  ...more,
});

export const archive = (vmid: number, hoursAgo: number, more: Row = {}): Row => ({
  volid: `nas:backup/vzdump-qemu-${vmid}-x.vma.zst`,
  vmid,
  ctime: NOW_S - hoursAgo * 3_600,
  size: 5_000_000_000,
  format: 'vma.zst',
  content: 'backup',
  ...more,
});

export const lastNight = [archive(100, 12), archive(101, 12), archive(200, 11), archive(100, 36)];

/** A guest's config and its snapshots: none, but the entry for its present state. */
export const guestAnswers = (path: string, config: Row = {}): AnswerTable => ({
  [`${path}/config`]: { onboot: 1, digest: '0000', ...config },
  [`${path}/snapshot`]: [{ name: 'current', running: 1, description: 'You are here!', digest: '0000' }],
});

export const clusterAnswers = (): AnswerTable => ({
  ...guestAnswers('/nodes/pve1/qemu/100', { name: 'vm100', meta: 'creation-qemu=9.0.2,ctime=1700000000' }),
  ...guestAnswers('/nodes/pve1/qemu/101', { onboot: 0 }),
  ...guestAnswers('/nodes/pve2/lxc/200', { hostname: 'ct200' }),
  '/version': { version: '8.4.1', release: '8.4', repoid: '2a5fa54a8503f96d' },
  '/access/permissions': {
    '/': AUDITOR,
    '/vms': AUDITOR,
    '/nodes': AUDITOR,
    '/storage': AUDITOR,
    '/access': { 'Sys.Audit': 1 },
  },
  '/cluster/status': [
    { type: 'cluster', id: 'cluster', name: 'home', nodes: 2, quorate: 1, version: 2 },
    { type: 'node', id: 'node/pve1', name: 'pve1', nodeid: 1, ip: '192.0.2.1', local: 1, online: 1, level: '' },
    { type: 'node', id: 'node/pve2', name: 'pve2', nodeid: 2, ip: '192.0.2.2', local: 0, online: 1, level: '' },
  ],
  '/cluster/resources': resources(),
  '/cluster/tasks': [],
  '/cluster/backup': [nightly()],
  '/cluster/backup/backup-nightly/included_volumes': {
    children: [100, 101, 200].map((id) => ({
      id,
      name: `guest${id}`,
      type: id === 200 ? 'lxc' : 'qemu',
      leaf: 0,
      children: [
        { id: `${id}:${id === 200 ? 'rootfs' : 'scsi0'}`, name: 'tank:x', included: true, reason: 'enabled', leaf: 1 },
      ],
    })),
  },
  '/nodes/pve1/storage/local/content': [],
  '/nodes/pve2/storage/local/content': [],
  '/nodes/pve1/storage/nas/content': lastNight,
  '/cluster/replication': [],
  '/cluster/ceph/status': undefined,
  '/storage': [
    { storage: 'local', type: 'dir', path: '/var/lib/vz', content: 'backup,iso,vztmpl', digest: 'x' },
    {
      storage: 'nas',
      type: 'nfs',
      server: '192.0.2.9',
      export: '/srv/pve',
      path: '/mnt/pve/nas',
      content: 'images,backup',
      shared: 1,
    },
    { storage: 'tank', type: 'zfspool', pool: 'tank/vm', sparse: 1, nodes: 'pve1', content: 'images,rootdir' },
  ],
  ...nodeAnswers('pve1'),
  ...nodeAnswers('pve2'),
  '/nodes/pve1/disks/list': [
    {
      devpath: '/dev/nvme0n1',
      type: 'nvme',
      model: 'Samsung SSD 980 PRO 1TB',
      serial: 'S5GXNX0T123456',
      wwn: 'eui.002538b111111111',
      vendor: 'unknown',
      size: 1e12,
      rpm: 0,
      gpt: 1,
      health: 'UNKNOWN',
      wearout: 'N/A',
      used: 'ZFS',
      osdid: -1,
      'osdid-list': null,
    },
    {
      devpath: '/dev/sda',
      type: 'hdd',
      model: 'ST4000VN008-2DR166',
      serial: 'ZDH1ABCD',
      wwn: '0x5000c500a1b2c3d4',
      vendor: 'ATA     ',
      size: 4e12,
      rpm: 5980,
      gpt: 1,
      health: 'UNKNOWN',
      wearout: 'N/A',
      used: 'ext4',
      osdid: -1,
    },
  ],
  '/nodes/pve1/disks/smart?disk=%2Fdev%2Fnvme0n1': { health: 'PASSED', type: 'text', text: NVME_TEXT, wearout: 93 },
  '/nodes/pve1/disks/smart?disk=%2Fdev%2Fsda': ataSmart(),
  '/nodes/pve2/disks/list': [],
  '/nodes/pve1/disks/zfs': [
    { name: 'tank', size: 1000 * GIB, alloc: 400 * GIB, free: 600 * GIB, frag: 12, dedup: 1, health: 'ONLINE' },
  ],
  '/nodes/pve1/disks/zfs/tank': {
    name: 'tank',
    state: 'ONLINE',
    scan: 'scrub repaired 0B in 00:12:34 with 0 errors on Sun Mar  8 00:36:35 2026',
    errors: 'No known data errors',
    children: [
      {
        name: 'tank',
        state: 'ONLINE',
        read: 0,
        write: 0,
        cksum: 0,
        msg: '',
        children: [
          {
            name: 'mirror-0',
            state: 'ONLINE',
            read: 0,
            write: 0,
            cksum: 0,
            children: [
              { name: '/dev/disk/by-id/nvme-A-part1', state: 'ONLINE', read: 0, write: 0, cksum: 0, leaf: 1 },
              { name: '/dev/disk/by-id/nvme-B-part1', state: 'ONLINE', read: 0, write: 0, cksum: 0, leaf: 1 },
            ],
          },
        ],
      },
    ],
    leaf: 0,
  },
  '/nodes/pve2/disks/zfs': [],
});
