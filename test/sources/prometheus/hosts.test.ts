import { describe, expect, it } from 'vitest';
import { hint } from '../../../signals/claim.ts';
import { buildHosts } from '../../../src/sources/prometheus/hosts.ts';
import { type NodeIdentity, nodesInConflict, readNodeIdentities } from '../../../src/sources/prometheus/node-claims.ts';
import { rememberHosts } from '../../../src/sources/prometheus/remembered-hosts.ts';
import { buildTargets } from '../../../src/sources/prometheus/targets.ts';
import { createSightingBuilder } from '../../../src/sources/sighting-builder.ts';
import { claimOf, createInventory, surveyOf } from '../../support/identities.ts';
import { createMemoryState } from '../../support/memory-state.ts';
import { answersOf, seriesOf } from '../../support/prometheus-answers.ts';

interface Machine {
  readonly instance: string;
  readonly job?: string;
  readonly nodename: string;
  readonly bootS?: number;
  readonly macs?: readonly string[];
  readonly up?: boolean;
}

const MAC = 'b4:2e:99:01:02:03';

const answersFor = (machines: readonly Machine[]) => {
  const target = ({ job = 'node', instance }: Machine) => ({ job, instance });
  return answersOf({
    targets_up: machines.map((machine) => seriesOf(target(machine), machine.up === false ? 0 : 1)),
    node_uname: machines.map((machine) => seriesOf({ ...target(machine), nodename: machine.nodename }, 1)),
    node_boot: machines.map((machine) => seriesOf(target(machine), machine.bootS ?? 1_000)),
    node_nics: machines.flatMap((machine) =>
      (machine.macs ?? []).map((address) => seriesOf({ ...target(machine), address }, 1)),
    ),
  });
};

const build = (machines: readonly Machine[], down: readonly NodeIdentity[] = []) => {
  const answers = answersFor(machines);
  const out = createSightingBuilder('Prometheus');
  const hosts = buildHosts(answers, down, { sourceId: 'metrics', targets: buildTargets(answers), out });
  return { hosts, claims: () => out.build().claims };
};

const idsOf = (machines: readonly Machine[], inventory = createInventory(), sourceId = 'metrics') => {
  const { claims } = build(machines);
  const resolution = inventory.run([surveyOf(sourceId, claims())]);
  return claims().map(({ ref }) => resolution.idOf(sourceId, ref));
};

describe('one machine that two jobs scrape', () => {
  const twice: readonly Machine[] = [
    { instance: 'nas1:9100', nodename: 'nas1', macs: [MAC] },
    { instance: '10.0.0.5:9100', job: 'node-long', nodename: 'nas1', macs: [MAC] },
  ];

  it('is one host, of whose series those of one target count', () => {
    const { hosts, claims } = build(twice);
    expect(claims()).toHaveLength(1);
    expect(
      hosts.ofNode({ job: 'node-long', instance: '10.0.0.5:9100' })?.name ??
        hosts.ofNode({ job: 'node', instance: 'nas1:9100' })?.name,
    ).toBe('nas1');
    expect(
      [
        hosts.ofNode({ job: 'node', instance: 'nas1:9100' }),
        hosts.ofNode({ job: 'node-long', instance: '10.0.0.5:9100' }),
      ].filter((host) => host !== null),
    ).toHaveLength(1);
  });

  it('is not down while one of the two answers', () => {
    const [first, second] = twice;
    if (first === undefined || second === undefined) throw new Error('two');
    const { hosts } = build([{ ...first, up: false }, second]);
    expect(hosts.all).toEqual([expect.objectContaining({ isDown: false, ref: 'host:node-long/10.0.0.5:9100' })]);
  });
});

describe('machines that only look alike', () => {
  it.each([
    [
      'share a name',
      [
        { instance: 'a:9100', nodename: 'debian', bootS: 1 },
        { instance: 'b:9100', nodename: 'debian', bootS: 2 },
      ],
    ],
    [
      'share a name and the second of their boot',
      [
        { instance: 'a:9100', nodename: 'debian' },
        { instance: 'b:9100', nodename: 'debian' },
      ],
    ],
    [
      'share a name and a network card, but not their boot',
      [
        { instance: 'a:9100', nodename: 'debian', bootS: 1, macs: [MAC] },
        { instance: 'b:9100', nodename: 'debian', bootS: 2, macs: [MAC] },
      ],
    ],
  ])('stay two where they %s, at the first look and the next', (_title, machines) => {
    const inventory = createInventory();
    const first = idsOf(machines, inventory);
    expect(new Set(first).size).toBe(2);
    expect(idsOf(machines, inventory)).toEqual(first);
  });
});

describe('a host over time', () => {
  const host = { instance: 'nas1:9100', nodename: 'nas1', macs: [MAC] } as const;
  it.each([
    ['boots', { ...host, bootS: 2_000 }],
    ['moves to another address', { ...host, instance: '10.9.9.9:9100' }],
    ['is scraped by a renamed job', { ...host, job: 'linux' }],
    ['gets another network card', { ...host, macs: ['b4:2e:99:ff:ff:ff'] }],
    ['boots and gets another address at once', { ...host, bootS: 2_000, instance: '10.9.9.9:9100' }],
    ['is renamed', { ...host, nodename: 'nas-old' }],
  ])('stays the same when it %s', (_title, later) => {
    const inventory = createInventory();
    const before = idsOf([host], inventory);
    expect(idsOf([later], inventory)).toEqual(before);
  });

  it('is one with what another Prometheus and the machine itself see', () => {
    const inventory = createInventory();
    const one = build([host]).claims();
    const other = build([{ ...host, instance: '192.0.2.9:9100', job: 'n' }]).claims();
    const own = claimOf('host', 'host', [hint('hostname-boot:nas1/1000'), hint(`hostname-mac:nas1/${MAC}`)]);
    const resolution = inventory.run([surveyOf('this-host', [own]), surveyOf('a', one), surveyOf('b', other)]);
    expect(resolution.resources).toHaveLength(1);
  });
});

describe('exporters without a node_exporter of their own', () => {
  it('belong to the host with the same address, else share a host that nobody else knows', () => {
    const { hosts, claims } = build([{ instance: 'nas1:9100', nodename: 'nas1' }]);
    expect(hosts.of({ job: 'smartctl', instance: 'nas1:9633' }).name).toBe('nas1');
    expect(hosts.known({ job: 'smartctl', instance: 'other:9633' })).toBeNull();
    const bare = hosts.of({ job: 'smartctl', instance: 'other:9633' });
    expect(hosts.of({ job: 'zfs', instance: 'other:9134' })).toBe(bare);
    expect(claims().find(({ ref }) => ref === bare.ref)).toMatchObject({
      kind: 'host',
      name: 'other',
      status: 'unknown',
      keys: [hint('prom-target:metrics/other')],
    });
  });

  it('belong to none of two hosts that share an address', () => {
    const { hosts } = build([
      { instance: 'nas1:9100', nodename: 'vm1' },
      { instance: 'nas1:9101', nodename: 'vm2' },
    ]);
    expect(hosts.known({ job: 'smartctl', instance: 'nas1:9633' })).toBeNull();
  });
});

describe('hosts that are down', () => {
  const words = readNodeIdentities(
    answersOf({
      node_uname_down: [seriesOf({ job: 'node', instance: 'nas1:9100', nodename: 'nas1' }, 1)],
      node_boot_down: [seriesOf({ job: 'node', instance: 'nas1:9100' }, 1_000)],
    }),
    '_down',
  );
  const targets = (up: number | null) =>
    buildTargets(answersOf({ targets_up: up === null ? [] : [seriesOf({ job: 'node', instance: 'nas1:9100' }, up)] }));
  const none: ReadonlyMap<string, NodeIdentity> = new Map();

  it('are remembered after Prometheus has forgotten their last words, until they answer or are scraped no more', () => {
    const state = createMemoryState();
    expect(rememberHosts(words, none, targets(0), state)).toHaveLength(1);
    expect(rememberHosts(none, none, targets(0), state)).toEqual([
      expect.objectContaining({ nodename: 'nas1', bootS: 1_000 }),
    ]);
    expect(rememberHosts(none, words, targets(1), state)).toEqual([]);
    expect(rememberHosts(none, none, targets(0), state), 'forgotten once it answered').toEqual([]);
    rememberHosts(words, none, targets(0), state);
    expect(rememberHosts(none, none, targets(null), state)).toEqual([]);
  });

  it('survive a state that is nonsense', () => {
    expect(rememberHosts(none, none, targets(0), createMemoryState({ 'hosts-down': [{ key: 7 }, null] }))).toEqual([]);
    expect(rememberHosts(none, none, targets(0), createMemoryState({ 'hosts-down': 'x' }))).toEqual([]);
  });
});

it('finds machines that can not be told apart', () => {
  const answers = answersOf({
    node_uname: ['a', 'b'].map((nodename) => seriesOf({ job: 'node', instance: 'x', nodename }, 1)),
  });
  expect(nodesInConflict(answers)).toEqual(['node\nx']);
});
