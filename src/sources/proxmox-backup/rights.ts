/** What a whole survey needs: the role `Audit` on `/`, and `RemoteAudit` on `/remote`, have it all. */
import type { Right, Rights } from '../proxmox/rights.ts';

const WANTED: readonly Right[] = [
  { path: '/datastore', privilege: 'Datastore.Audit' },
  { path: '/system/status', privilege: 'Sys.Audit' },
  { path: '/system/tasks', privilege: 'Sys.Audit' },
  { path: '/system/disks', privilege: 'Sys.Audit' },
  { path: '/remote', privilege: 'Remote.Audit' },
];

const BELOW: ReadonlySet<string> = new Set(['/datastore', '/remote']);

export const missingRights = (rights: Rights): readonly Right[] =>
  WANTED.filter(({ path, privilege }) =>
    BELOW.has(path) ? !rights.hasBelow(path, privilege) : !rights.has(path, privilege),
  );
