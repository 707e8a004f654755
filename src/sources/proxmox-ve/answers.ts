/** The answers that every survey begins with; lenient about everything that is not read. */
import { z } from 'zod';
import { figure, flag, identifier, text } from '../proxmox/answer-fields.ts';

export const versionSchema = z.looseObject({ version: z.string().min(1).max(64), release: text });

/** `/cluster/status`: one entry for the cluster, where there is one, and one for each node. */
export const clusterStatusItem = z.discriminatedUnion('type', [
  z.looseObject({ type: z.literal('cluster'), name: z.string().min(1).max(128), quorate: flag, nodes: figure }),
  z.looseObject({ type: z.literal('node'), name: z.string().min(1).max(128), online: flag, local: flag, ip: text }),
]);
export type ClusterStatusItem = z.infer<typeof clusterStatusItem>;

const nodeResource = z.looseObject({
  type: z.literal('node'),
  node: z.string().min(1).max(128),
  status: text,
  cpu: figure,
  maxcpu: figure,
  mem: figure,
  maxmem: figure,
  disk: figure,
  maxdisk: figure,
  uptime: figure,
});
export type NodeResource = z.infer<typeof nodeResource>;

const guest = {
  vmid: identifier,
  node: z.string().min(1).max(128),
  name: text,
  /** Of virtual machines the monitor's word, such as `io-error`; `unknown` when a node's statistics stop. */
  status: text,
  template: flag,
  lock: text,
  tags: text,
  pool: text,
  hastate: text,
  cpu: figure,
  maxcpu: figure,
  mem: figure,
  memhost: figure,
  maxmem: figure,
  disk: figure,
  maxdisk: figure,
  uptime: figure,
};
const guestResource = z.looseObject({ type: z.enum(['qemu', 'lxc']), ...guest });
export type GuestResource = z.infer<typeof guestResource>;

const storageResource = z.looseObject({
  type: z.literal('storage'),
  storage: z.string().min(1).max(128),
  node: z.string().min(1).max(128),
  status: text,
  plugintype: text,
  content: text,
  shared: flag,
  disk: figure,
  maxdisk: figure,
});
export type StorageResource = z.infer<typeof storageResource>;

export type ResourceItem = NodeResource | GuestResource | StorageResource | { readonly type: 'other' };

const ofType = (type: string): z.ZodType<ResourceItem> | null => {
  switch (type) {
    case 'node':
      return nodeResource;
    case 'qemu':
    case 'lxc':
      return guestResource;
    case 'storage':
      return storageResource;
    default:
      return null;
  }
};

/** A node, guest or storage that does not fit is bad; what is none of them (pools, networks) is passed over. */
export const resourceItem = z.looseObject({ type: z.string() }).transform((value, context): ResourceItem => {
  const schema = ofType(value.type);
  if (schema === null) return { type: 'other' };
  const checked = schema.safeParse(value);
  if (checked.success) return checked.data;
  const [issue] = checked.error.issues;
  context.addIssue({ code: 'custom', message: `${value.type}: ${issue?.message ?? 'unknown'}` });
  return z.NEVER;
});
