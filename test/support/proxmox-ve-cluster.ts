/** Answers of a small cluster, in the shapes that Proxmox VE 8 gives them; tests change what they are about. */
import type { AnswerTable } from './proxmox-answers.ts';

/** A Tuesday noon. */
export const NOW_MS = Date.UTC(2026, 2, 10, 12);
const NOW_S = NOW_MS / 1000;
export const GIB = 1024 ** 3;
const DAY_S = 86_400;

export const ROOT_CA = `${'AA:'.repeat(31)}AA`;

export type Row = Readonly<Record<string, unknown>>;

export const node = (name: string, more: Row = {}): Row => ({
  type: 'node',
  id: `node/${name}`,
  node: name,
  status: 'online',
  level: '',
  cpu: 0.05,
  maxcpu: 16,
  mem: 20 * GIB,
  maxmem: 64 * GIB,
  disk: 10 * GIB,
  maxdisk: 90 * GIB,
  uptime: 30 * DAY_S,
  'cgroup-mode': 2,
  ...more,
});

export const vm = (vmid: number, more: Row = {}): Row => ({
  type: 'qemu',
  id: `qemu/${vmid}`,
  vmid,
  node: 'pve1',
  name: `vm${vmid}`,
  status: 'running',
  template: 0,
  cpu: 0.02,
  maxcpu: 4,
  mem: 2 * GIB,
  maxmem: 4 * GIB,
  disk: 0,
  maxdisk: 32 * GIB,
  uptime: 20 * DAY_S,
  netin: 1,
  netout: 1,
  diskread: 1,
  diskwrite: 1,
  ...more,
});

export const ct = (vmid: number, more: Row = {}): Row => ({
  ...vm(vmid),
  type: 'lxc',
  id: `lxc/${vmid}`,
  name: `ct${vmid}`,
  node: 'pve2',
  disk: 2 * GIB,
  maxdisk: 8 * GIB,
  ...more,
});

export const storage = (name: string, onNode: string, more: Row = {}): Row => ({
  type: 'storage',
  id: `storage/${onNode}/${name}`,
  storage: name,
  node: onNode,
  status: 'available',
  plugintype: 'dir',
  content: 'backup,iso,vztmpl',
  shared: 0,
  disk: 10 * GIB,
  maxdisk: 90 * GIB,
  ...more,
});

export const resources = (): readonly Row[] => [
  vm(100),
  vm(101, { status: 'stopped', uptime: 0, cpu: 0, mem: 0 }),
  vm(900, { name: 'template', template: 1, status: 'stopped', uptime: 0 }),
  ct(200, { tags: 'web;prod', pool: 'media' }),
  node('pve1'),
  node('pve2'),
  storage('local', 'pve1'),
  storage('local', 'pve2'),
  storage('nas', 'pve1', {
    plugintype: 'nfs',
    shared: 1,
    content: 'images,backup',
    disk: 500 * GIB,
    maxdisk: 2000 * GIB,
  }),
  storage('nas', 'pve2', {
    plugintype: 'nfs',
    shared: 1,
    content: 'images,backup',
    disk: 500 * GIB,
    maxdisk: 2000 * GIB,
  }),
  storage('tank', 'pve1', { plugintype: 'zfspool', content: 'images,rootdir', disk: 300 * GIB, maxdisk: 900 * GIB }),
  { type: 'sdn', id: 'sdn/pve1/localnetwork', sdn: 'localnetwork', node: 'pve1', status: 'ok' },
];

export const AUDITOR: Row = {
  'Sys.Audit': 1,
  'VM.Audit': 1,
  'Datastore.Audit': 1,
  'Pool.Audit': 1,
  'SDN.Audit': 1,
  'Mapping.Audit': 1,
};

export const certificates = (): readonly Row[] => [
  {
    filename: 'pve-root-ca.pem',
    fingerprint: ROOT_CA,
    issuer: '/CN=Proxmox Virtual Environment/OU=x/O=PVE Cluster Manager CA',
    subject: '/CN=Proxmox Virtual Environment/OU=x/O=PVE Cluster Manager CA',
    notbefore: NOW_S - 300 * DAY_S,
    notafter: NOW_S + 3000 * DAY_S,
    san: [],
    'public-key-type': 'rsaEncryption',
    'public-key-bits': 4096,
  },
  {
    filename: 'pve-ssl.pem',
    fingerprint: `${'BB:'.repeat(31)}BB`,
    subject: '/OU=PVE Cluster Node/O=Proxmox Virtual Environment/CN=pve1.example',
    notbefore: NOW_S - 300 * DAY_S,
    notafter: NOW_S + 400 * DAY_S,
    san: ['127.0.0.1', 'pve1'],
  },
];

export const rrd = (points: number, more: (index: number) => Row): readonly Row[] =>
  Array.from({ length: points }, (_each, index) => ({ time: NOW_S - 60 * (points - 1 - index), ...more(index) }));

export const ataSmart = (more: Row = {}): Row => ({
  health: 'PASSED',
  type: 'ata',
  attributes: [
    {
      id: '  5',
      name: 'Reallocated_Sector_Ct',
      flags: 'PO--CK',
      value: 100,
      normalized: 100,
      worst: 100,
      threshold: 10,
      fail: '-',
      raw: '0',
    },
    {
      id: '  9',
      name: 'Power_On_Hours',
      flags: '-O--CK',
      value: 95,
      normalized: 95,
      worst: 95,
      threshold: 0,
      fail: '-',
      raw: '21123',
    },
    {
      id: '188',
      name: 'Command_Timeout',
      flags: '-O--CK',
      value: 100,
      normalized: 100,
      worst: 99,
      threshold: 0,
      fail: '-',
      raw: '8590065666',
    },
    {
      id: '194',
      name: 'Temperature_Celsius',
      flags: '-O---K',
      value: 36,
      normalized: 36,
      worst: 50,
      threshold: 0,
      fail: '-',
      raw: '36 (0 18 0 0 0)',
    },
    {
      id: '197',
      name: 'Current_Pending_Sector',
      flags: '-O--C-',
      value: 100,
      normalized: 100,
      worst: 100,
      threshold: 0,
      fail: '-',
      raw: '0',
    },
  ],
  ...more,
});

export const NVME_TEXT = `
SMART/Health Information (NVMe Log 0x02)
Critical Warning:                   0x00
Temperature:                        32 Celsius
Available Spare:                    100%
Available Spare Threshold:          10%
Percentage Used:                    7%
Data Units Read:                    1,299,288 [665 GB]
Data Units Written:                 5,584,952 [2.85 TB]
Power On Hours:                     1,189
Media and Data Integrity Errors:    0
Error Information Log Entries:      0
`;

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
