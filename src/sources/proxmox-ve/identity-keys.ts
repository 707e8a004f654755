/** How things of a cluster are known: by its root CA where that is known, else by its name. */
import { hint, type IdentityKey, proof } from '../../../signals/claim.ts';
import type { Estate } from './estate.ts';

/** What tells one cluster from all others. */
export interface ClusterIdentity {
  /** SHA-256 of `pve-root-ca.pem`, upper-case hex; null where it was never read. */
  readonly rootCa: string | null;
  /** The cluster's name, or of a node on its own the node's. */
  readonly name: string;
}

export const clusterNameOf = ({ cluster, nodes }: Pick<Estate, 'cluster' | 'nodes'>): string =>
  cluster?.name ?? nodes[0]?.name ?? 'proxmox';

const keyed = ({ rootCa, name }: ClusterIdentity, namespace: string, value: string): readonly IdentityKey[] => [
  ...(rootCa === null ? [] : [proof(`${namespace}:${rootCa}${value}`)]),
  hint(`${namespace}-named:${name}${value}`),
];

export const clusterKeys = (identity: ClusterIdentity): readonly IdentityKey[] => keyed(identity, 'pve-cluster', '');

/** A node is the host that it runs on: its boot tells, where that is watched as well. */
export const nodeKeys = (identity: ClusterIdentity, node: string, bootedAtS: number | null): readonly IdentityKey[] => [
  ...keyed(identity, 'pve-node', `/${node}`),
  // Uptime and time are whole seconds from two answers: the boot lies within one of them.
  ...(bootedAtS === null ? [] : [-1, 0, 1].map((by) => hint(`hostname-boot:${node}/${bootedAtS + by}`))),
];

/** `bornAtS` is when the guest was made, by its config: another guest under the same number has another. */
export const guestKeys = (identity: ClusterIdentity, vmid: string, bornAtS: string | null): readonly IdentityKey[] => {
  const scope = identity.rootCa ?? identity.name;
  const number = keyed(identity, 'pve-guest', `/${vmid}`);
  if (bornAtS === null) return number;
  return [proof(`pve-guest-born:${scope}/${vmid}/${bornAtS}`), ...number.map(({ key }) => hint(key))];
};

export const storageKeys = (identity: ClusterIdentity, storage: string, node: string | null): readonly IdentityKey[] =>
  keyed(identity, 'pve-storage', node === null ? `/${storage}` : `/${node}/${storage}`);
