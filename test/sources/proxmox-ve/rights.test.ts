import { expect, it } from 'vitest';
import { allRights, createRights, describeRight, permissionsSchema } from '../../../src/sources/proxmox/rights.ts';
import { missingRights } from '../../../src/sources/proxmox-ve/rights.ts';

const rightsOf = (permissions: unknown) => createRights(permissionsSchema.parse(permissions));
const AUDITOR = { 'Sys.Audit': 1, 'VM.Audit': 1, 'Datastore.Audit': 1 };

it('names what is missing', () => {
  expect(missingRights(rightsOf({ '/': AUDITOR }))).toEqual([]);
  expect(missingRights(rightsOf({ '/vms': AUDITOR })).map(describeRight)).toEqual([
    'Sys.Audit on /',
    'Sys.Audit on /nodes',
    'Datastore.Audit on /storage',
  ]);
  expect(missingRights(rightsOf({})).length).toBe(4);
  expect(missingRights(allRights)).toEqual([]);
});
