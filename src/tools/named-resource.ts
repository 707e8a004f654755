/** Arguments that name a resource: resolved in the inventory, or refused with what comes near. */
import { z } from 'zod';
import type { Resource } from '../../signals/resource.ts';
import type { ResourceLookup } from './resource-lookup.ts';
import type { ToolOutcome } from './tool.ts';
import { fail } from './tool-failure.ts';

export const resourceInput = z.string().min(1).max(500).describe('resource id');

export const cursorInput = z.string().max(40).optional().describe('from the page before');

type Resolved =
  | { readonly ok: true; readonly resource: Resource }
  | { readonly ok: false; readonly failure: Extract<ToolOutcome, { readonly kind: 'error' }> };

export const resolveResource = (lookup: ResourceLookup, typed: string): Resolved => {
  const found = lookup.find(typed);
  switch (found.kind) {
    case 'one':
      return { ok: true, resource: found.resource };
    case 'several':
      return {
        ok: false,
        failure: fail('resource_ambiguous', 'Several resources have this name: use an id.', { ids: found.ids }),
      };
    case 'none':
      return {
        ok: false,
        failure: fail('resource_not_found', 'This resource is not in the inventory: find_resources lists what is.', {
          near: found.near,
        }),
      };
  }
};
