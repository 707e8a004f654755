/** What a whole survey of a cluster needs. */
import type { Right, Rights } from '../proxmox/rights.ts';

/** The role PVEAuditor has it all. */
const WANTED: readonly Right[] = [
  { path: '/', privilege: 'Sys.Audit' },
  { path: '/nodes', privilege: 'Sys.Audit' },
  { path: '/vms', privilege: 'VM.Audit' },
  { path: '/storage', privilege: 'Datastore.Audit' },
];

export const missingRights = (rights: Rights): readonly Right[] =>
  WANTED.filter(({ path, privilege }) =>
    path === '/' ? !rights.has(path, privilege) : !rights.hasBelow(path, privilege),
  );
