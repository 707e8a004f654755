import { expect, it } from 'vitest';
import { createRights, permissionsSchema } from '../../../src/sources/proxmox/rights.ts';

const rightsOf = (permissions: unknown) => createRights(permissionsSchema.parse(permissions));
const AUDITOR = { 'Sys.Audit': 1, 'VM.Audit': 1, 'Datastore.Audit': 1 };

it('inherits what propagates, from the nearest path that is set', () => {
  const rights = rightsOf({ '/': AUDITOR, '/vms/100': { 'VM.Backup': 1 } });
  expect(rights.has('/nodes/pve1', 'Sys.Audit')).toBe(true);
  expect(rights.has('/vms/100', 'VM.Audit')).toBe(false);
  expect(rights.has('/vms/101', 'VM.Audit')).toBe(true);
  expect(rights.hasBelow('/vms', 'VM.Audit')).toBe(false);
  expect(rights.hasBelow('/nodes', 'Sys.Audit')).toBe(true);
});

it('does not inherit what does not propagate', () => {
  const rights = rightsOf({ '/': { 'Sys.Audit': 0 } });
  expect(rights.has('/', 'Sys.Audit')).toBe(true);
  expect(rights.has('/nodes/pve1', 'Sys.Audit')).toBe(false);
});
