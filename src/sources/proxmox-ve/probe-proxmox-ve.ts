/** What `check-config --connect` says: who answers there, and what this token may not see. */
import { PatroldError } from '../../runtime/errors.ts';
import type { ProxmoxReader } from '../proxmox/proxmox-reader.ts';
import { createRights, describeRight, permissionsSchema } from '../proxmox/rights.ts';
import { resourceItem } from './answers.ts';
import { missingRights } from './rights.ts';
import { readVersion } from './survey-proxmox-ve.ts';

/** Throws `source_not_answering`. */
export const probeProxmoxVe = async (ask: ProxmoxReader): Promise<string> => {
  const version = await readVersion(ask);
  const resources = await ask.list('/cluster/resources', resourceItem);
  if (!resources.ok) throw new PatroldError('source_not_answering', resources.failure.reason);
  const permissions = await ask.get('/access/permissions', permissionsSchema);
  const missing = permissions.ok ? missingRights(createRights(permissions.value)) : [];
  const count = (...types: readonly string[]): number =>
    resources.value.items.filter(({ type }) => types.includes(type)).length;
  const rights = missing.length === 0 ? '' : `; the token lacks ${missing.map(describeRight).join(', ')}`;
  return `Proxmox VE ${version} at ${ask.origin()}: ${count('node')} nodes, ${count('qemu', 'lxc')} guests, ${count('storage')} storages${rights}`;
};
