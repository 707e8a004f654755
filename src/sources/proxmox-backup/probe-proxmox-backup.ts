/** What `check-config --connect` says: who answers there, and what this token may not see. */
import { PatroldError } from '../../runtime/errors.ts';
import type { ProxmoxReader } from '../proxmox/proxmox-reader.ts';
import { createRights, describeRight, permissionsSchema } from '../proxmox/rights.ts';
import { versionSchema } from './answers.ts';
import { missingRights } from './rights.ts';
import { readStores } from './survey-proxmox-backup.ts';

/** Throws `source_not_answering`. */
export const probeProxmoxBackup = async (ask: ProxmoxReader): Promise<string> => {
  const version = await ask.get('/version', versionSchema);
  if (!version.ok) throw new PatroldError('source_not_answering', version.failure.reason);
  const { stores } = await readStores(ask, false);
  const permissions = await ask.get('/access/permissions', permissionsSchema);
  const missing = permissions.ok ? missingRights(createRights(permissions.value)) : [];
  const rights = missing.length === 0 ? '' : `; the token lacks ${missing.map(describeRight).join(', ')}`;
  return `Proxmox Backup Server ${version.value.version} at ${ask.origin()}: ${stores.length} datastores${rights}`;
};
