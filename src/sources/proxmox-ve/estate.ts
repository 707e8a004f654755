/** The cluster as its own lists tell it: nodes, guests and storages, each with the `ref` of its claim. */
import { cleanText } from '../../runtime/text.ts';
import type { ClusterStatusItem, GuestResource, NodeResource, ResourceItem, StorageResource } from './answers.ts';
import { proxmoxVeLimits } from './proxmox-ve-limits.ts';

export interface VeNode {
  readonly name: string;
  readonly ref: string;
  /** By the cluster's membership; null: not told. */
  readonly online: boolean | null;
  /** Null where the token may not see it, or statistics are missing. */
  readonly stats: NodeResource | null;
  readonly isLocal: boolean;
}

export interface VeGuest {
  readonly vmid: string;
  readonly ref: string;
  readonly kind: 'vm' | 'container';
  /** Part of paths: `qemu` or `lxc`. */
  readonly type: 'qemu' | 'lxc';
  readonly name: string;
  readonly node: VeNode | null;
  readonly isTemplate: boolean;
  readonly stats: GuestResource;
}

export interface VeStorage {
  readonly id: string;
  /** Shared: one thing however many nodes see it. */
  readonly ref: string;
  readonly isShared: boolean;
  readonly plugin: string;
  readonly content: ReadonlySet<string>;
  /** One for each node on which it is enabled; of a storage of one node just that. */
  readonly onNodes: readonly { readonly node: VeNode; readonly stats: StorageResource }[];
}

export interface Estate {
  /** Null: a node on its own. */
  readonly cluster: { readonly name: string; readonly quorate: boolean | null } | null;
  readonly nodes: readonly VeNode[];
  readonly guests: readonly VeGuest[];
  readonly storages: readonly VeStorage[];
}

export const CLUSTER_REF = 'cluster';
export const nodeRef = (name: string): string => `node:${name}`;
export const guestRef = (vmid: string): string => `guest:${vmid}`;
export const storageRef = (storage: string, node: string | null): string =>
  node === null ? `storage:${storage}` : `storage:${node}/${storage}`;

/** Where there is none above it: the cluster's thing, or the node's own. */
export const rootRef = ({ cluster, nodes }: Pick<Estate, 'cluster' | 'nodes'>): string | null =>
  cluster === null ? (nodes[0]?.ref ?? null) : CLUSTER_REF;

export const buildEstate = (status: readonly ClusterStatusItem[], resources: readonly ResourceItem[]): Estate => {
  const entry = status.find((item) => item.type === 'cluster');
  const nodes = buildNodes(status, resources);
  const byName = new Map(nodes.map((node) => [node.name, node]));
  return {
    cluster: entry === undefined ? null : { name: entry.name, quorate: entry.quorate ?? null },
    nodes,
    guests: resources.flatMap((item) =>
      item.type === 'qemu' || item.type === 'lxc' ? [buildGuest(item, byName.get(item.node) ?? null)] : [],
    ),
    storages: buildStorages(resources, byName),
  };
};

const byText = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

const buildNodes = (status: readonly ClusterStatusItem[], resources: readonly ResourceItem[]): readonly VeNode[] => {
  const members = new Map(status.flatMap((item) => (item.type === 'node' ? [[item.name, item] as const] : [])));
  const stats = new Map(resources.flatMap((item) => (item.type === 'node' ? [[item.node, item] as const] : [])));
  const names = [...new Set([...members.keys(), ...stats.keys()])].sort(byText);
  return names.slice(0, proxmoxVeLimits.nodes).map((name) => {
    const own = stats.get(name) ?? null;
    const member = members.get(name);
    const online = member?.online ?? (own?.status === 'online' ? true : own?.status === 'offline' ? false : null);
    return { name, ref: nodeRef(name), online, stats: own, isLocal: member?.local === true };
  });
};

const buildGuest = (stats: GuestResource, node: VeNode | null): VeGuest => {
  const name = cleanText(stats.name ?? '', proxmoxVeLimits.nameLength);
  return {
    vmid: stats.vmid,
    ref: guestRef(stats.vmid),
    kind: stats.type === 'qemu' ? 'vm' : 'container',
    type: stats.type,
    name: name === '' ? stats.vmid : name,
    node,
    isTemplate: stats.template === true,
    stats,
  };
};

const buildStorages = (
  resources: readonly ResourceItem[],
  nodes: ReadonlyMap<string, VeNode>,
): readonly VeStorage[] => {
  const found = resources.flatMap((item) => {
    const node = item.type === 'storage' ? nodes.get(item.node) : undefined;
    return item.type === 'storage' && node !== undefined ? [{ node, stats: item }] : [];
  });
  const groups = Map.groupBy(found, ({ node, stats }) =>
    storageRef(stats.storage, isSharedStorage(stats) ? null : node.name),
  );
  return [...groups].map(([ref, onNodes]) => {
    const [first] = onNodes;
    return {
      ref,
      id: first?.stats.storage ?? ref,
      isShared: first !== undefined && isSharedStorage(first.stats),
      plugin: first?.stats.plugintype ?? 'unknown',
      content: new Set((first?.stats.content ?? '').split(',').map((part) => part.trim())),
      onNodes,
    };
  });
};

/** Proxmox marks what is on the network by nature as shared by itself; `pbs` not in every version. */
const isSharedStorage = ({ shared, plugintype }: StorageResource): boolean => shared === true || plugintype === 'pbs';
