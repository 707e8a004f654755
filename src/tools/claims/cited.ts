/** Evidence that a call cites: of this run, and of the thing that it speaks about. */
import { z } from 'zod';
import type { Resource } from '../../../signals/resource.ts';
import type { Citable } from '../evidence-book.ts';
import type { LookingContext } from '../looking-context.ts';
import { shownText } from '../showing/shown-text.ts';
import type { ToolOutcome } from '../tool.ts';
import { fail } from '../tool-failure.ts';

const MAX_IDS = 32;

export const evidenceInput = z
  .array(z.string().min(1).max(20))
  .min(1)
  .max(MAX_IDS)
  .describe('evidence ids of this run, as tools show them');

type Cited =
  | { readonly ok: true; readonly evidence: readonly Citable[] }
  | { readonly ok: false; readonly failure: Extract<ToolOutcome, { readonly kind: 'error' }> };

/**
 * All of it is of the resource, of what it is on, or of what is on it; and some of it is of the resource itself, since a
 * claim about a machine that rests on its disk alone is a claim about the disk.
 */
export const citedFor = (
  { evidence: book, resources }: Pick<LookingContext, 'evidence' | 'resources'>,
  resource: Resource,
  ids: readonly string[],
): Cited => {
  const asked = [...new Set(ids.map((id) => id.trim()))];
  const found = asked.map((id) => ({ id, cited: book.get(id) }));
  const evidence = found.flatMap(({ cited }) => (cited === null ? [] : [cited]));
  const unknown = found.filter(({ cited }) => cited === null).map(({ id }) => shownText(id, 20));
  if (unknown.length > 0)
    return {
      ok: false,
      failure: fail(
        'evidence_not_found',
        'These are no evidence ids of this run: look first, and cite what was shown.',
        {
          unknown,
        },
      ),
    };
  const isNear = (of: Citable): boolean =>
    resources.isWithin(of.resourceId, resource.id) || resources.isWithin(resource.id, of.resourceId);
  const elsewhere = evidence.filter((one) => !isNear(one));
  if (elsewhere.length > 0 || !evidence.some(({ resourceId }) => resourceId === resource.id))
    return {
      ok: false,
      failure: fail('evidence_elsewhere', 'Evidence has to be of the very resource; name the one that it belongs to.', {
        belongsTo: Object.fromEntries(evidence.map(({ id, resourceId }) => [id, resources.shown(resourceId)])),
      }),
    };
  return { ok: true, evidence };
};
