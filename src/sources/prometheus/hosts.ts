/** The hosts of one survey, and which of them a series speaks of. */
import { hint, type IdentityKey } from '../../../signals/claim.ts';
import type { ReadingKind } from '../../../signals/reading.ts';
import { cleanText } from '../../runtime/text.ts';
import type { SightingBuilder } from '../sighting-builder.ts';
import { type Labels, TARGET, targetKey } from './answer.ts';
import type { Answers } from './answers.ts';
import { isSameMachine, type NodeIdentity, readNodeIdentities } from './node-claims.ts';
import { prometheusLimits } from './prometheus-limits.ts';
import { hostPartOf, LOCALHOST, type Targets } from './targets.ts';

export interface Host {
  readonly ref: string;
  readonly name: string;
  readonly hostPart: string;
  /** The target whose series count where two jobs scrape one machine. */
  readonly node: NodeIdentity | null;
  /** Its node_exporter does not answer. */
  readonly isDown: boolean;
}

export interface Hosts {
  readonly all: readonly Host[];
  /** The host that a series of node_exporter is about; null where another target speaks for the same machine. */
  ofNode(labels: Labels): Host | null;
  /** The host on which any exporter runs, by the host in its instance; claimed on its own where none is known. */
  of(labels: Labels): Host;
  /** As `of`, but claims none. */
  known(labels: Labels): Host | null;
}

export interface HostDeps {
  readonly sourceId: string;
  readonly targets: Targets;
  readonly out: SightingBuilder;
}

/** Labels that node_uname_info has of its own; the others come from the operator's target labels. */
const OWN_LABELS = new Set([
  TARGET,
  '__name__',
  'job',
  'instance',
  'domainname',
  'machine',
  'nodename',
  'release',
  'sysname',
  'version',
]);

/** Which readings a host owes as long as these collectors of node_exporter work. */
export const COLLECTOR_READS: Readonly<Record<string, ReadingKind>> = {
  cpu: 'cpu',
  meminfo: 'memory',
  stat: 'boot',
  vmstat: 'oom_kills',
  timex: 'clock',
};

const tagsOf = (labels: Labels): readonly string[] =>
  Object.entries(labels)
    .filter(([name]) => !OWN_LABELS.has(name))
    .map(([name, value]) => cleanText(`${name}=${value}`, 100))
    .toSorted()
    .slice(0, prometheusLimits.targetTags);

const targetHint = (sourceId: string, what: string): IdentityKey =>
  hint(`prom-target:${sourceId}/${cleanText(what, 400)}`);

/**
 * All are hints: only the machine itself can prove who it is. The names of the target come last and hold the host
 * together when it boots; they are no proof, or a renamed job would make another host of it.
 */
const keysOf = (node: NodeIdentity, sourceId: string, isUnique: (key: string) => boolean): readonly IdentityKey[] => [
  ...machineKeys(node)
    .filter(isUnique)
    .map((key) => hint(key)),
  targetHint(sourceId, node.key.replace('\n', '/')),
];

const machineKeys = ({ nodename, bootS, macs }: NodeIdentity): readonly string[] => [
  ...(bootS === null ? [] : [`hostname-boot:${nodename}/${bootS}`]),
  ...macs.map((mac) => `hostname-mac:${nodename}/${mac}`),
];

const groupMachines = (nodes: readonly NodeIdentity[]): readonly (readonly NodeIdentity[])[] => {
  const byName = Map.groupBy(nodes, ({ nodename, bootS }) => `${nodename}\n${bootS}`);
  return [...byName.values()].flatMap((group) => {
    const machines: NodeIdentity[][] = [];
    for (const node of group.toSorted((a, b) => (a.key < b.key ? -1 : 1))) {
      const same = machines.find((machine) => machine.some((other) => isSameMachine(node, other)));
      if (same === undefined) machines.push([node]);
      else same.push(node);
    }
    return machines;
  });
};

export const buildHosts = (answers: Answers, down: readonly NodeIdentity[], deps: HostDeps): Hosts => {
  const { sourceId, targets, out } = deps;
  const live = readNodeIdentities(answers, '');
  const machines = groupMachines([...live.values(), ...down]);
  const counts = new Map<string, number>();
  for (const [node] of machines)
    for (const key of node === undefined ? [] : machineKeys(node)) counts.set(key, (counts.get(key) ?? 0) + 1);
  const hosts: Host[] = [];
  const byTarget = new Map<string, Host>();
  for (const machine of machines) {
    const node = machine.find(({ key }) => live.has(key) && targets.byKey(key)?.up !== false) ?? machine[0];
    if (node === undefined) continue;
    const isDown = !live.has(node.key) || targets.byKey(node.key)?.up === false;
    const name = cleanText(node.nodename, prometheusLimits.nameLength);
    const host = {
      ref: `host:${node.key.replace('\n', '/')}`,
      name,
      hostPart: hostPartOf(node.labels['instance'] ?? ''),
      node,
      isDown,
    };
    out.claim({
      ref: host.ref,
      kind: 'host',
      name,
      keys: keysOf(node, sourceId, (key) => counts.get(key) === 1),
      status: isDown ? 'unknown' : 'running',
      tags: tagsOf(node.labels),
      expects: [...node.collectors.keys()].flatMap((collector) => COLLECTOR_READS[collector] ?? []),
      facts: {
        instance: cleanText(node.labels['instance'] ?? '', 200),
        kernel: cleanText(node.labels['release'] ?? '', 100),
      },
    });
    hosts.push(host);
    for (const { key } of machine) byTarget.set(key, host);
  }
  return hostLookup(hosts, byTarget, deps);
};

const hostLookup = (
  known: readonly Host[],
  byTarget: ReadonlyMap<string, Host>,
  { sourceId, out }: HostDeps,
): Hosts => {
  const all = [...known];
  const byPart = Map.groupBy(known, ({ hostPart }) => hostPart);
  const bare = new Map<string, Host>();
  const claimBare = (hostPart: string): Host => {
    const name = cleanText(
      hostPart === LOCALHOST ? `${LOCALHOST} of ${sourceId}` : hostPart,
      prometheusLimits.nameLength,
    );
    const host: Host = { ref: `host:${name}`, name, hostPart, node: null, isDown: false };
    out.claim({ ref: host.ref, kind: 'host', name, keys: [targetHint(sourceId, name)], status: 'unknown' });
    bare.set(hostPart, host);
    all.push(host);
    return host;
  };
  const find = (labels: Labels, hostPart: string): Host | undefined => {
    const own = byTarget.get(targetKey(labels)) ?? bare.get(hostPart);
    const [only, ...more] = byPart.get(hostPart) ?? [];
    return own ?? (more.length === 0 ? only : undefined);
  };
  return {
    all,
    known: (labels) => find(labels, hostPartOf(labels['instance'] ?? '')) ?? null,
    ofNode: (labels) => {
      const host = byTarget.get(targetKey(labels));
      return host?.node?.key === targetKey(labels) ? host : null;
    },
    of: (labels) => {
      const hostPart = hostPartOf(labels['instance'] ?? '');
      return find(labels, hostPart) ?? claimBare(hostPart);
    },
  };
};
