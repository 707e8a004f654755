/** Whole surveys of recorded machines, and what detectors make of them. */
import { describe, expect, test } from 'vitest';
import type { Sighting } from '../../../src/sources/source.ts';
import { unaccounted } from '../../support/accounted.ts';
import { createJudge } from '../../support/judge-sighting.ts';
import { RECORDED_AT_MS, recordedMachine } from '../../support/recorded-machine.ts';

const refs = ({ claims }: Sighting, kind: string) =>
  claims.filter((claim) => claim.kind === kind).map(({ ref }) => ref.replace(/^[a-z]+:/, ''));
const keysOf = ({ claims }: Sighting, ref: string) =>
  claims.find((claim) => claim.ref === ref)?.keys.map(({ key, strength }) => `${strength} ${key}`);
const readings = (sighting: Sighting, ref: string, kind: string) =>
  sighting.readings.filter((reading) => reading.ref === ref && reading.kind === kind);

test.each(['nas', 'pve', 'lxc', 'hardened'])('%s accounts for everything that it undertook', async (name) => {
  const machine = recordedMachine(name);
  expect(unaccounted(await machine.survey())).toEqual([]);
  expect(unaccounted(await machine.survey({ paces: ['fast'] }))).toEqual([]);
});

describe('a NAS with md, USB, NFS, snaps and containers', () => {
  const survey = recordedMachine('nas').survey();

  test('has five file systems of its own; what hangs is a gap and holds nothing up', async () => {
    const sighting = await survey;
    expect(refs(sighting, 'filesystem')).toEqual(['/', '/boot/efi', '/srv', '/mnt/old disk', '/mnt/backup']);
    expect(sighting.gaps).toContainEqual({
      ref: 'filesystem:/mnt/backup',
      reads: ['filesystem'],
      code: 'timed_out',
      reason: '/mnt/backup gave no answer within 5 s',
    });
    expect(keysOf(sighting, 'filesystem:/srv')).toEqual([
      'proof fs-uuid:5d3f0a77-91c4-4a3e-8c1b-77ab12cd34ef',
      'hint fs-mount:/srv',
    ]);
    expect(keysOf(sighting, 'filesystem:/mnt/old disk')?.[0]).toBe(
      'proof fs-uuid:c0ffee00-1111-4222-8333-444455556666',
    );
  });

  test('knows its disks by WWN, also the one behind a bridge that smartctl asked', async () => {
    const sighting = await survey;
    expect(refs(sighting, 'disk')).toEqual(['nvme0n1', 'sda', 'sdb', 'sdc', 'sdd']);
    expect(keysOf(sighting, 'disk:sdc')).toEqual([
      'proof disk-wwn:50014ee66aaaaaaa',
      'hint disk-serial:WDC_WD20SPZX-22UA7T0/WD-WX51A23N4567',
      'hint disk-device:sdc',
    ]);
    expect(sighting.gaps).toContainEqual(
      expect.objectContaining({ ref: 'disk:sdb', reads: ['smart'], code: 'asleep' }),
    );
    expect(sighting.claims.find(({ ref }) => ref === 'disk:sdd')?.expects).toEqual([]);
  });

  test('lists everything to its end', async () => {
    expect((await survey).listed.map(({ kind }) => kind).toSorted()).toEqual([
      'array',
      'disk',
      'filesystem',
      'host',
      'pool',
      'service',
    ]);
  });

  test('tells the kill in a container from that of a service', async () => {
    const [kills] = readings(await survey, 'host', 'oom_kills');
    expect(kills).toMatchObject({
      count: 2,
      kills: [
        { victim: 'java', inContainer: true },
        { victim: 'indexer', inContainer: false },
      ],
    });
  });
});

describe('a Proxmox node with ZFS, thin pools, SAS and a RAID controller', () => {
  const survey = recordedMachine('pve').survey();

  test('has one capacity problem for each pool: datasets count only with a quota', async () => {
    const sighting = await survey;
    expect(refs(sighting, 'filesystem')).toEqual(['/tank/users']);
    expect(refs(sighting, 'pool')).toEqual(['zfs/rpool', 'zfs/tank', 'lvm/pve/data', 'lvm/fast-vg/thin-pool']);
    expect(readings(sighting, 'pool:lvm/pve/data', 'capacity')).toEqual([]);
    expect(keysOf(sighting, 'pool:zfs/tank')).toEqual([
      'proof zpool-guid:998877665544332211',
      'hint pool-name:zfs/tank',
    ]);
  });

  test('expects no SMART of volumes, and finds the disk behind the controller', async () => {
    const sighting = await survey;
    expect(refs(sighting, 'disk')).toEqual(['sda', 'sdb', 'sdc', 'sdd', 'bus/1:megaraid,4']);
    expect(sighting.claims.find(({ ref }) => ref === 'disk:sdd')).toMatchObject({
      expects: [],
      facts: { virtual: true },
    });
    const [behind] = readings(sighting, 'disk:bus/1:megaraid,4', 'smart');
    expect(behind).toMatchObject({
      attributes: expect.arrayContaining([expect.objectContaining({ id: 188, count: 12 })]),
    });
  });

  test('does not count the ARC above its minimum as used', async () => {
    const [memory] = readings(await survey, 'host', 'memory');
    expect(memory).toMatchObject({ reclaimableArcBytes: 33_500_000_000 - 2_104_230_912 });
  });
});

test('an LXC container sees its host’s disks, arrays and pools, and claims none of them', async () => {
  const sighting = await recordedMachine('lxc').survey();
  expect(sighting.claims.map(({ ref }) => ref)).toEqual([
    'host',
    'filesystem:/',
    'service:nginx.service',
    'service:systemd-journald.service',
  ]);
  expect(sighting.claims[0]).toMatchObject({ expects: ['cpu', 'memory', 'oom_kills'], facts: { inContainer: true } });
  expect(sighting.gaps).toEqual([]);
  const [memory] = readings(sighting, 'host', 'memory');
  expect(memory).toMatchObject({ totalBytes: 2_147_483_648, unavailableBytes: 292_945_920 });
});

describe('a hardened service, as nobody', () => {
  const survey = recordedMachine('hardened').survey();

  test('judges by the superblock: mounts that look read-only are not', async () => {
    const [root] = readings(await survey, 'filesystem:/', 'filesystem');
    expect(root).toMatchObject({ superblockReadOnly: false });
  });

  test('does not take what its sandbox shows for what is mounted, nor a deliberately read-only disk for a fault', async () => {
    const sighting = await survey;
    expect(refs(sighting, 'filesystem')).toEqual(['/', '/data']);
    expect(sighting.gaps).toContainEqual(expect.objectContaining({ ref: 'filesystem:/data', code: 'not_permitted' }));
  });

  test('says of what it may not do what would allow it', async () => {
    const gap = (await survey).gaps.find(({ ref }) => ref === 'disk:sda');
    expect(gap).toMatchObject({ code: 'not_permitted', reason: expect.stringContaining('drop-in') });
  });
});

test('on later surveys use is averaged since the one before, and hourly things wait', async () => {
  const machine = recordedMachine('nas');
  await machine.survey();
  await machine.clock.advance(300_000);
  const later = await machine.survey({ paces: ['fast'] });
  const [cpu] = readings(later, 'host', 'cpu');
  expect(cpu).toMatchObject({ observedRatio: 1 });
  expect(cpu).toHaveProperty('windowMs', expect.closeTo(300_000, -5));
  expect(later.gaps.filter(({ code }) => code === 'not_due').map(({ ref }) => ref)).toEqual([
    'disk:nvme0n1',
    'disk:sda',
    'disk:sdb',
    'disk:sdc',
  ]);
  expect(later.claims.find(({ ref }) => ref === 'disk:sdc')?.keys[0]?.key).toBe('disk-wwn:50014ee66aaaaaaa');
});

describe('verdicts', () => {
  const judged = async (name: string) => {
    const machine = recordedMachine(name);
    const judge = createJudge();
    let lastSurveyAtMs: number | null = null;
    let states: Readonly<Record<string, string>> = {};
    for (const paces of [['fast', 'hourly'], ['fast'], ['fast'], ['fast', 'hourly']] as const) {
      const sighting = await machine.survey({ lastSurveyAtMs, paces });
      ({ states } = judge.judge(sighting, machine.clock.nowMs(), lastSurveyAtMs));
      lastSurveyAtMs = machine.clock.nowMs();
      await machine.clock.advance(300_000);
    }
    return Object.fromEntries(Object.entries(states).filter(([, state]) => state.startsWith('raised')));
  };

  test('about the NAS', async () => {
    expect(await judged('nas')).toEqual({
      'md0 raid_degraded': 'raised:critical',
      'mnt-scans.mount service_failed': 'raised:warning',
      'nas1 bond_degraded:bond0': 'raised:warning',
      'nas1 oom_kill': 'raised:warning',
      'restic-backup.service service_failed': 'raised:warning',
      'sda (WDC WD40EFRX-68N32N0) smart_failure': 'raised:critical',
      '/mnt/old disk filesystem_read_only': 'raised:critical',
    });
  });

  test('about the Proxmox node', async () => {
    expect(await judged('pve')).toEqual({
      'pve/data thin_pool_full:data': 'raised:warning',
      'pve1 clock_skew': 'raised:warning',
      'sdb (ST8000NM0075) smart_failure': 'raised:warning',
      'tank high_disk': 'raised:warning',
      'tank zfs_unhealthy': 'raised:critical',
      '/tank/users high_disk': 'raised:warning',
    });
  });

  test.each(['lxc', 'hardened'])('about %s: none', async (name) => {
    expect(await judged(name)).toEqual({});
  });
});

test('a probe says what is read', async () => {
  const machine = recordedMachine('nas');
  expect(await machine.source.probe(AbortSignal.timeout(1_000))).toBe('reads nas1 (Debian GNU/Linux 12 (bookworm))');
  expect(machine.clock.nowMs()).toBe(RECORDED_AT_MS);
});
