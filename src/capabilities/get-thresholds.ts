/** `GET /api/resources/:id/thresholds`: every limit that holds for a resource, and where each number came from. */
import { z } from 'zod';
import type { Bound, EffectiveLimit } from '../../signals/limits.ts';
import { fail, succeed } from './answer.ts';
import { defineCapability } from './capability.ts';
import { idInput, origin, originOf, resourceName } from './fields.ts';
import { asRemembered } from './resource-view.ts';

const bound = z
  .strictObject({
    trigger: z.number().describe('raised at this or worse'),
    clear: z.number().describe('once raised, clear at this or better'),
    origin,
    clearOrigin: origin,
  })
  .nullable()
  .describe('null: there is no limit of this severity');

const threshold = z.strictObject({
  detector: z.string(),
  title: z.string(),
  metric: z.string().describe('its name below `alerts.<kind>` in the config'),
  unit: z.string(),
  direction: z.enum(['above', 'below', 'state']).describe('which way is bad; state: a fault without a figure'),
  off: origin.nullable().describe('who switched it off; null: it is on'),
  warning: bound,
  critical: bound,
  forMs: z.int().describe('how long it has to last'),
  forOrigin: origin,
  because: z.string().describe('where the shipped numbers come from'),
});

type Threshold = z.output<typeof threshold>;

const viewBound = (limit: Bound | null): Threshold['warning'] =>
  limit === null
    ? null
    : {
        trigger: limit.trigger,
        clear: limit.clear,
        origin: originOf(limit.origin),
        clearOrigin: originOf(limit.clearOrigin ?? limit.origin),
      };

const viewLimit = (
  { type, title }: { readonly type: string; readonly title: string },
  { spec, off, warning, critical, forMs, forOrigin }: EffectiveLimit,
): Threshold => ({
  detector: type,
  title,
  metric: spec.metric,
  unit: spec.unit,
  direction: spec.direction,
  off: off === null ? null : originOf(off),
  warning: viewBound(warning),
  critical: viewBound(critical),
  forMs,
  forOrigin: originOf(forOrigin),
  because: spec.because,
});

export const getThresholds = defineCapability({
  name: 'get_thresholds',
  title: 'Thresholds of a resource',
  description: 'Each limit that holds for a resource, with its unit, where it clears, and the setting it comes from.',
  category: 'resources',
  method: 'GET',
  path: '/api/resources/:id/thresholds',
  scope: 'read',
  mode: 'read',
  approval: 'never',
  input: z.strictObject({ id: idInput }),
  output: z.strictObject({ resource: resourceName, thresholds: z.array(threshold).readonly() }),
  invalidInput: 'invalid_request',
  errors: ['invalid_request', 'missing_id', 'resource_not_found'],
  handle: ({ id }, { ports }) => {
    const found = ports.resources.get(id);
    if (found === null) return fail('resource_not_found', 'there is no resource with that id');
    const { detectors, limits } = ports.settings();
    const resource = asRemembered(found);
    const thresholds = detectors
      .filter(({ kinds }) => kinds.includes(resource.kind))
      .flatMap((detector) =>
        Object.values(detector.limits)
          .filter(({ kinds }) => kinds.includes(resource.kind))
          .map((spec) => viewLimit(detector, limits.of(spec, resource))),
      );
    return succeed({ resource: { id: found.id, name: found.name, kind: found.kind }, thresholds });
  },
});
