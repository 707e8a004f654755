/** The cluster and its nodes: who they are, and what their statistics say now. */
import { cleanText } from '../../../runtime/text.ts';
import { CLUSTER_REF, type VeNode } from '../estate.ts';
import { clusterKeys, nodeKeys } from '../identity-keys.ts';
import { bootOf } from '../node-boots.ts';
import { proxmoxVeLimits } from '../proxmox-ve-limits.ts';
import type { VeArea, VeWorld } from '../world.ts';

export const clusterArea: VeArea = {
  name: 'cluster',
  read: async (world) => {
    const { estate, identity, out, version } = world;
    const { cluster, nodes } = estate;
    if (cluster !== null) {
      const name = cleanText(cluster.name, proxmoxVeLimits.nameLength);
      out.claim({
        ref: CLUSTER_REF,
        kind: 'cluster',
        name,
        slug: name,
        keys: clusterKeys(identity),
        expects: ['quorum'],
        facts: { product: 'proxmox-ve', version: cleanText(version, 64), nodes: nodes.length },
      });
      readQuorum(world, cluster.quorate);
    }
    for (const node of nodes) claimNode(world, node);
    out.list('cluster', null);
    out.list('node', null);
  },
};

const claimNode = (world: VeWorld, node: VeNode): void => {
  const { estate, identity, out, version } = world;
  const name = cleanText(node.name, proxmoxVeLimits.nameLength);
  out.claim({
    ref: node.ref,
    kind: 'node',
    name,
    slug: name,
    parentRef: estate.cluster === null ? null : CLUSTER_REF,
    keys: nodeKeys(identity, name, bootOf(world, node)),
    status: node.online === false ? 'failed' : node.online === null ? 'unknown' : 'running',
    expects: ['node_state', 'cpu', 'memory'],
    facts: {
      product: 'proxmox-ve',
      ...(estate.cluster === null ? { version: cleanText(version, 64) } : {}),
      ...(node.stats?.maxcpu === undefined ? {} : { cpuCount: node.stats.maxcpu }),
    },
  });
  out.read(node.ref, { kind: 'node_state', online: node.online }, world.clock.nowMs());
  if (node.online === false) {
    const reason = `node ${name} is offline, by the membership of the cluster`;
    out.gap({ ref: node.ref, reads: ['cpu', 'memory'], code: 'unreachable', reason });
  }
};

/** Null where the membership could not be read: then there is no reading. */
const readQuorum = ({ clock, estate, out }: VeWorld, quorate: boolean | null): void => {
  if (quorate === null) return;
  const nodes = estate.nodes.map(({ name, online }) => ({ name: cleanText(name, proxmoxVeLimits.nameLength), online }));
  out.read(CLUSTER_REF, { kind: 'quorum', quorate, nodes }, clock.nowMs());
};
