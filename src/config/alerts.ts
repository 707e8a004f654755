/** The `alerts:` section: its schema comes from the limits that detectors declare, its result is what they are resolved from. */
import { z } from 'zod';
import type { AnyDetector } from '../../signals/detector.ts';
import type { AlertKind, AlertSettings, KindSettings, LimitSpec, MetricSetting } from '../../signals/limits.ts';
import { isGuest } from '../../signals/resource.ts';
import { duration } from './duration.ts';

/** Every limit by alert kind and metric; `guest` stands for VMs and containers. */
export const limitCatalogue = (
  detectors: readonly AnyDetector[],
): ReadonlyMap<AlertKind, ReadonlyMap<string, LimitSpec>> => {
  const catalogue = new Map<AlertKind, Map<string, LimitSpec>>();
  for (const spec of detectors.flatMap(({ limits }) => Object.values(limits))) {
    const kinds = new Set<AlertKind>(spec.kinds.flatMap((kind) => (isGuest(kind) ? [kind, 'guest' as const] : [kind])));
    for (const kind of kinds) {
      const metrics = catalogue.get(kind) ?? new Map<string, LimitSpec>();
      metrics.set(spec.metric, spec);
      catalogue.set(kind, metrics);
    }
  }
  return catalogue;
};

const level = z.union([z.number(), z.literal('off')], { error: 'expected a number, or off' });

const checkOrder = (
  spec: LimitSpec,
  setting: { warning?: number | 'off' | undefined; critical?: number | 'off' | undefined; clear?: number | undefined },
): string | null => {
  const { warning, critical, clear } = setting;
  const past = (a: number, b: number): boolean => (spec.direction === 'below' ? a > b : a < b);
  if (typeof warning === 'number' && typeof critical === 'number' && past(critical, warning)) {
    return `critical ${critical} comes before warning ${warning}`;
  }
  if (typeof warning === 'number' && clear !== undefined && past(warning, clear)) {
    return `clear ${clear} lies beyond warning ${warning}: it could never clear`;
  }
  return null;
};

/** YAML 1.2 reads a bare `off` as a string, YAML 1.1 as false; both mean it here. */
const off = z.union([z.literal('off'), z.literal(false)]).transform((): 'off' => 'off');

const settingSchema = (spec: LimitSpec) => {
  const forField = { for: duration().optional().describe('how long it must last') };
  if (spec.direction === 'state') return z.union([off, z.strictObject(forField)]);
  const figures = z.strictObject({
    warning: level.optional().describe(`default ${spec.warning ?? 'off'}, in ${spec.unit}`),
    critical: level.optional().describe(`default ${spec.critical ?? 'off'}, in ${spec.unit}`),
    clear: z.number().optional().describe('where the warning clears'),
    clearCritical: z.number().optional().describe('where the critical severity becomes a warning again'),
    ...forField,
  });
  const ordered = figures.superRefine((setting, context) => {
    const wrong = checkOrder(spec, setting);
    if (wrong !== null) context.addIssue({ code: 'custom', message: wrong });
  });
  return z.union([off, ordered]);
};

type Parsed = 'off' | { readonly for?: number | undefined; readonly [field: string]: unknown };
type ParsedKinds = Readonly<Record<string, Readonly<Record<string, Parsed>> | undefined>>;

const toSetting = (parsed: Parsed, path: string): MetricSetting => {
  if (parsed === 'off') return { off: true, path };
  const { for: forMs, ...fields } = parsed;
  return { ...(fields as Omit<MetricSetting, 'path'>), ...(forMs === undefined ? {} : { forMs }), path };
};

const toKinds = (parsed: ParsedKinds, path: string): KindSettings => {
  const kinds = Object.entries(parsed).map(([kind, metrics]) => {
    const settings = Object.entries(metrics ?? {}).map(([metric, setting]) => [
      metric,
      toSetting(setting, `${path}.${kind}.${metric}`),
    ]);
    return [kind, Object.fromEntries(settings)];
  });
  return Object.fromEntries(kinds) as KindSettings;
};

const matchSchema = z
  .strictObject({
    id: z.string().min(1).optional(),
    tag: z.string().min(1).optional(),
    source: z.string().min(1).optional(),
  })
  .refine((match) => Object.values(match).some((value) => value !== undefined), 'name an id, a tag or a source');

/** The schema of `alerts:`, which parses into `AlertSettings`. */
export const alertsSchema = (detectors: readonly AnyDetector[]) => {
  const kinds: Record<string, z.ZodType> = {};
  for (const [kind, metrics] of limitCatalogue(detectors)) {
    const shape = Object.fromEntries(
      [...metrics].map(([metric, spec]) => [metric, settingSchema(spec).optional().describe(spec.because)]),
    );
    kinds[kind] = z.strictObject(shape).optional();
  }
  const overrides = z.array(z.strictObject({ match: matchSchema, ...kinds })).default([]);
  return z
    .strictObject({ ...kinds, overrides })
    .prefault({})
    .transform(
      ({ overrides: list, ...own }): AlertSettings => ({
        kinds: toKinds(own as ParsedKinds, 'alerts'),
        overrides: list.map(({ match, ...settings }, index) => ({
          match: Object.fromEntries(Object.entries(match).filter(([, value]) => value !== undefined)),
          settings: toKinds(settings as ParsedKinds, `alerts.overrides[${index}]`),
        })),
      }),
    );
};
