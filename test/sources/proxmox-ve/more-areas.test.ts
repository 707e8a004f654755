import { describe, expect, it } from 'vitest';
import { type AnswerTable, Refusal } from '../../support/proxmox-answers.ts';
import { clusterAnswers, guestAnswers } from '../../support/proxmox-ve-cluster.ts';
import { GIB, NOW_MS, ROOT_CA, type Row, resources, storage } from '../../support/proxmox-ve-rows.ts';
import { startCluster, WATCH } from '../../support/proxmox-ve-survey.ts';

const NOW_S = NOW_MS / 1000;
const table = (more: AnswerTable): AnswerTable => ({ ...clusterAnswers(), ...more });

describe('replication', () => {
  const job = (more: Row = {}): Row => ({
    id: '100-0',
    type: 'local',
    guest: 100,
    jobnum: 0,
    target: 'pve2',
    schedule: '*/30',
    ...more,
  });
  const state = (more: Row = {}): Row => ({
    ...job(),
    source: 'pve1',
    vmtype: 'qemu',
    last_sync: NOW_S - 600,
    last_try: NOW_S - 600,
    fail_count: 0,
    duration: 4.2,
    next_sync: NOW_S + 1200,
    ...more,
  });
  const read = async (jobs: readonly Row[], states: unknown) => {
    const { sighting } = await startCluster(
      table({ '/cluster/replication': jobs, '/nodes/pve1/replication': states }),
    ).look();
    return {
      reading: sighting.readings.find(({ kind }) => kind === 'replication'),
      gap: sighting.gaps.find(({ reads }) => reads.includes('replication')),
    };
  };

  it('tells of each job its last run and the two due times after its last sync', async () => {
    const { reading } = await read([job()], [state({ fail_count: 2, error: 'command failed: exit code 255\n' })]);
    expect(reading).toMatchObject({
      ref: 'guest:100',
      job: '100-0',
      target: 'pve2',
      enabled: true,
      running: false,
      failCount: 2,
      error: 'command failed: exit code 255',
      lastSyncAtMs: NOW_MS - 600_000,
      // Half past and the full hour: the last sync was ten to twelve.
      dueAtMs: [NOW_MS, NOW_MS + 1_800_000],
    });
  });

  it('says why the state of a job is missing, and never takes it for health', async () => {
    for (const answer of [[], new Refusal(595, 'No route to host'), new Refusal('half')]) {
      const { reading, gap } = await read([job()], answer);
      expect(reading).toBeUndefined();
      expect(gap?.ref).toBe('guest:100');
    }
  });

  it('asks only nodes that have jobs, and keeps what it knew in a watch', async () => {
    const { look, transport } = startCluster(
      table({ '/cluster/replication': [job()], '/nodes/pve1/replication': [state()] }),
    );
    await look();
    expect(transport.asked.filter((path) => path.endsWith('/replication')).sort()).toEqual([
      '/cluster/replication',
      '/nodes/pve1/replication',
    ]);
    const { sighting } = await look(WATCH);
    expect(sighting.gaps.find(({ reads }) => reads.includes('replication'))).toMatchObject({
      ref: 'guest:100',
      code: 'not_due',
    });
  });
});

describe('Ceph', () => {
  const status = {
    fsid: 'x',
    health: {
      status: 'HEALTH_WARN',
      checks: {
        OSD_DOWN: { severity: 'HEALTH_WARN', summary: { message: '1 osds down', count: 1 }, detail: [], muted: false },
        POOL_NO_REDUNDANCY: {
          severity: 'HEALTH_WARN',
          summary: { message: '1 pool(s) have no replicas' },
          muted: true,
        },
      },
      mutes: [],
    },
  };

  it('is told with its checks, and watched from then on', async () => {
    const { look, transport } = startCluster(table({ '/cluster/ceph/status': status }));
    const { sighting } = await look();
    expect(sighting.readings.find(({ kind }) => kind === 'ceph')).toMatchObject({
      ref: 'cluster',
      health: 'HEALTH_WARN',
      checks: [
        { name: 'OSD_DOWN', summary: '1 osds down', muted: false },
        { name: 'POOL_NO_REDUNDANCY', muted: true },
      ],
    });
    transport.answer(table({ '/cluster/ceph/status': new Refusal(500, 'rados_connect failed - timed out') }));
    const later = await look(WATCH);
    expect(later.sighting.gaps).toContainEqual(
      expect.objectContaining({ ref: 'cluster', reads: ['ceph'], code: 'failed' }),
    );
  });

  it('is no gap where there is none', async () => {
    const { sighting } = await startCluster(
      table({ '/cluster/ceph/status': new Refusal(500, 'binary not installed: /usr/bin/ceph-mon') }),
    ).look();
    expect(sighting.gaps).toEqual([]);
  });
});

describe('guest agents', () => {
  const path = '/nodes/pve1/qemu/100/agent/network-get-interfaces';
  const interfaces = {
    result: [
      {
        name: 'lo',
        'hardware-address': '00:00:00:00:00:00',
        'ip-addresses': [{ 'ip-address': '127.0.0.1', 'ip-address-type': 'ipv4', prefix: 8 }],
      },
      {
        name: 'eth0',
        'ip-addresses': [
          { 'ip-address': '192.0.2.50', prefix: 24 },
          { 'ip-address': 'fe80::1', prefix: 64 },
        ],
      },
    ],
  };
  const config = guestAnswers('/nodes/pve1/qemu/100', { agent: '1,fstrim_cloned_disks=1' });
  const probeOf = ({ sighting }: Awaited<ReturnType<ReturnType<typeof startCluster>['look']>>) =>
    sighting.readings.find(({ kind }) => kind === 'probe');

  it('answer for their guest, and tell its addresses', async () => {
    const { look } = startCluster(table({ ...config, [path]: interfaces }));
    const looked = await look();
    expect(probeOf(looked)).toMatchObject({ ref: 'guest:100', probe: 'agent', answered: true });
    const { sighting } = await look(WATCH);
    expect(sighting.claims.find(({ ref }) => ref === 'guest:100')?.facts).toMatchObject({ addresses: '192.0.2.50' });
  });

  it('count as silent only once they have answered: many are set up and not installed', async () => {
    const silent = new Refusal(500, 'QEMU guest agent is not running');
    const never = startCluster(table({ ...config, [path]: silent }));
    const first = await never.look();
    expect(probeOf(first)).toBeUndefined();
    expect(first.sighting.gaps).toContainEqual(
      expect.objectContaining({ ref: 'guest:100', reads: ['probe'], code: 'not_answering' }),
    );
    const once = startCluster(table({ ...config, [path]: interfaces }));
    await once.look();
    once.transport.answer(table({ ...config, [path]: silent }));
    expect(probeOf(await once.look(WATCH))).toMatchObject({ answered: false });
  });

  it('are left unasked without the right to them, which is no fault', async () => {
    const refusal = new Refusal(
      403,
      'Permission check failed (/vms/100, VM.GuestAgent.Audit|VM.GuestAgent.Unrestricted)',
    );
    const { sighting } = await startCluster(table({ ...config, [path]: refusal })).look();
    expect(sighting.gaps).toEqual([
      expect.objectContaining({ code: 'not_permitted', reason: expect.stringContaining('VM.GuestAgent.Audit') }),
    ]);
  });

  it('are not asked where the config says so', async () => {
    const { look, transport } = startCluster(table({ ...config, [path]: interfaces }), { agent: false });
    await look();
    expect(transport.asked.filter((asked) => asked.includes('/agent/'))).toEqual([]);
  });
});

describe('space', () => {
  it('of a container is that of its root file system', async () => {
    const { sighting } = await startCluster().look();
    expect(sighting.readings.find(({ ref }) => ref === 'fs:guest:200/')).toMatchObject({
      kind: 'capacity',
      sizeBytes: 8 * GIB,
      usedBytes: 2 * GIB,
      availableBytes: 6 * GIB,
    });
  });

  it('of storages that lie on one file system is told once', async () => {
    const both = [
      storage('local', 'pve1'),
      storage('cloud-init', 'pve1', { disk: 10 * GIB + 4096 }),
      storage('other', 'pve1', { disk: 50 * GIB }),
    ];
    const { sighting } = await startCluster(
      table({ '/cluster/resources': [...resources().filter(({ type }) => type !== 'storage'), ...both] }),
    ).look();
    const told = sighting.readings
      .filter(({ kind, ref }) => kind === 'capacity' && ref.startsWith('storage:'))
      .map(({ ref }) => ref);
    expect(told.sort()).toEqual(['storage:pve1/cloud-init', 'storage:pve1/other']);
  });

  it('on a backup server is that of its store, under a key that its server claims too', async () => {
    const pbs = {
      storage: 'pbs1',
      type: 'pbs',
      server: 'Backup.example',
      datastore: 'store1',
      namespace: 'home',
      fingerprint: ROOT_CA,
      content: 'backup',
    };
    const { sighting } = await startCluster(
      table({
        '/storage': [pbs],
        '/nodes/pve1/storage/pbs1/content': [],
        '/cluster/resources': [
          ...resources(),
          storage('pbs1', 'pve1', { plugintype: 'pbs', shared: 1, content: 'backup' }),
        ],
      }),
    ).look();
    const server = 'A'.repeat(64);
    const claim = sighting.claims.find(({ kind }) => kind === 'datastore');
    expect(claim?.keys.map(({ key }) => key)).toEqual([`pbs-datastore:${server}/store1`]);
    expect(sighting.readings.filter(({ ref }) => ref === claim?.ref).map(({ kind }) => kind)).toEqual(['capacity']);
    const guest = sighting.claims.find(({ ref }) => ref === 'guest:200');
    expect(guest?.answersTo).toEqual([`pbs-group:${server}/store1/home/ct/200`]);
  });
});

describe('disks of guests that no job takes along', () => {
  it('are told apart by whether somebody left them out on purpose', async () => {
    const children = (entries: readonly Row[]): Row => ({ id: 100, type: 'qemu', name: 'vm100', children: entries });
    const { sighting } = await startCluster(
      table({
        ...guestAnswers('/nodes/pve2/lxc/200', {
          mp0: 'tank:x,mp=/srv,size=8G',
          mp1: 'tank:y,mp=/cache,backup=0,size=8G',
        }),
        '/cluster/backup/backup-nightly/included_volumes': {
          children: [
            children([
              { id: '100:scsi0', name: 'tank:vm-100-disk-0', included: true, reason: 'enabled' },
              { id: '100:scsi1', name: 'tank:vm-100-disk-1', included: false, reason: 'disabled' },
            ]),
            {
              id: 200,
              type: 'lxc',
              children: [
                { id: '200:rootfs', name: 'x', included: 1, reason: 'rootfs' },
                { id: '200:mp0', name: 'x', included: 0, reason: 'disabled' },
                { id: '200:mp1', name: 'y', included: 0, reason: 'disabled' },
                { id: '200:mp2', name: '/mnt/bind', included: 0, reason: 'not a volume' },
              ],
            },
          ],
        },
      }),
    ).look();
    const volumes = sighting.readings.flatMap((reading) => (reading.kind === 'backup_volumes' ? reading.volumes : []));
    expect(volumes.map(({ name, included, excludedOnPurpose }) => [name, included, excludedOnPurpose])).toEqual([
      ['scsi0', true, false],
      ['scsi1', false, true],
      ['rootfs', true, false],
      ['mp0', false, false],
      ['mp1', false, true],
      ['mp2', false, true],
    ]);
  });
});

describe('a node on its own', () => {
  const alone = table({
    '/cluster/status': [
      { type: 'node', id: 'node/pve1', name: 'pve1', nodeid: 0, ip: '192.0.2.1', local: 1, online: 1, level: '' },
    ],
    '/cluster/resources': resources().filter(({ node: on }) => on === 'pve1'),
  });

  it('has no cluster above it, and its guests and storages below it', async () => {
    const { sighting, states } = await startCluster(alone).look();
    const parents = Object.fromEntries(sighting.claims.map(({ ref, parentRef }) => [ref, parentRef]));
    expect(parents).toMatchObject({
      'node:pve1': null,
      'guest:100': 'node:pve1',
      'storage:nas': 'node:pve1',
      'storage:pve1/local': 'node:pve1',
    });
    expect(sighting.claims.some(({ kind }) => kind === 'cluster')).toBe(false);
    expect(sighting.gaps).toEqual([]);
    expect(Object.entries(states).filter(([, state]) => state.startsWith('raised'))).toEqual([]);
  });

  it('keeps its guests and itself when it makes a cluster', async () => {
    const cluster = startCluster(alone);
    const keysOf = async (ref: string) => {
      const { sighting } = await cluster.look();
      return sighting.claims.find((claim) => claim.ref === ref)?.keys.filter(({ strength }) => strength === 'proof');
    };
    await cluster.look();
    const before = [await keysOf('guest:100'), await keysOf('node:pve1')];
    cluster.transport.answer(clusterAnswers());
    expect([await keysOf('guest:100'), await keysOf('node:pve1')]).toEqual(before);
  });
});
