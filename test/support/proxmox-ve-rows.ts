/** Rows of answers in the shapes that Proxmox VE 8 gives them. */
/** A Tuesday noon. */
export const NOW_MS = Date.UTC(2026, 2, 10, 12);
export const NOW_S = NOW_MS / 1000;
export const GIB = 1024 ** 3;
export const DAY_S = 86_400;

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
