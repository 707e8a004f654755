/** The operator's alert settings, resolved field by field into the limits of one resource, with where each came from. */

import type { AlertSettings, KindSettings, MetricSetting } from './alert-settings.ts';
import { alertKindsOf, overrideMatches, specificity } from './alert-settings.ts';
import { boundOf, type Field, reconcileCritical } from './bound.ts';
import type { EffectiveLimit, LimitOrigin, LimitSpec } from './limit.ts';
import type { Resource } from './resource.ts';

export type { AlertKind, AlertOverride, AlertSettings, KindSettings, MetricSetting } from './alert-settings.ts';
export { noSettings } from './alert-settings.ts';
export type { Bound, EffectiveLimit, LimitOrigin, LimitSpec, Unit } from './limit.ts';

const DEFAULT: LimitOrigin = { kind: 'default' };

interface Layer {
  readonly setting: MetricSetting;
  readonly originKind: 'setting' | 'override';
  readonly rank: number;
}

const layersFor = (settings: AlertSettings, resource: Resource, metric: string): readonly Layer[] => {
  const layers: Layer[] = [];
  const collect = (kinds: KindSettings, originKind: Layer['originKind']): void => {
    for (const kind of alertKindsOf(resource.kind)) {
      const setting = kinds[kind]?.[metric];
      if (setting !== undefined) layers.push({ setting, originKind, rank: layers.length + 1 });
    }
  };
  collect(settings.kinds, 'setting');
  const overrides = settings.overrides.filter((override) => overrideMatches(override, resource));
  for (const override of overrides.toSorted((a, b) => specificity(a) - specificity(b))) {
    collect(override.settings, 'override');
  }
  return layers;
};

/** What the operator calls the field in the config. */
const WRITTEN_AS = {
  warning: 'warning',
  critical: 'critical',
  forMs: 'for',
  clear: 'clear',
  clearCritical: 'clearCritical',
} as const;

const originOf = ({ setting, originKind }: Layer, path: string): LimitOrigin => ({
  kind: setting.imported === true ? 'import' : originKind,
  path,
});

const pick = <F extends keyof typeof WRITTEN_AS, T>(
  layers: readonly Layer[],
  field: F,
  fallback: T,
): Field<NonNullable<MetricSetting[F]> | T> => {
  for (const layer of layers.toReversed()) {
    const value = layer.setting[field];
    if (value === undefined) continue;
    return { value, origin: originOf(layer, `${layer.setting.path}.${WRITTEN_AS[field]}`), rank: layer.rank };
  }
  return { value: fallback, origin: DEFAULT, rank: 0 };
};

/** A limit written by a stronger layer than the one that said `off` switches it on again. */
const switchedOff = (layers: readonly Layer[]): LimitOrigin | null => {
  const last = layers.findLast(
    ({ setting }) => setting.off !== undefined || setting.warning !== undefined || setting.critical !== undefined,
  );
  return last?.setting.off === true ? originOf(last, last.setting.path) : null;
};

/** The limit that holds for one resource. */
export const resolveLimit = (spec: LimitSpec, settings: AlertSettings, resource: Resource): EffectiveLimit => {
  const layers = layersFor(settings, resource, spec.metric);
  const { value: forMs, origin: forOrigin } = pick(layers, 'forMs', spec.forMs);
  const writtenWarning = pick(layers, 'warning', spec.warning);
  const writtenCritical = reconcileCritical(spec, writtenWarning, pick(layers, 'critical', spec.critical));
  const off = switchedOff(layers);
  if (off !== null) return { spec, off, warning: null, critical: null, forMs, forOrigin };
  const warning = boundOf(spec, writtenWarning, pick(layers, 'clear', null));
  const critical = boundOf(spec, writtenCritical, pick(layers, 'clearCritical', null));
  // With every severity off by name nothing can be raised: that is off, not clear.
  const nothingLeft = warning === null && critical === null;
  const silenced = [writtenWarning, writtenCritical].find(({ value }) => value === 'off');
  const silencedBy = nothingLeft && silenced !== undefined ? silenced.origin : null;
  return { spec, off: silencedBy, warning, critical, forMs, forOrigin };
};

/** All limits of one detector for one resource. */
export interface LimitSet {
  readonly limits: Readonly<Record<string, EffectiveLimit>>;
  /** Whether every one of them is off: then the detector has no verdict there. */
  readonly allOff: boolean;
}

/** The limits of resources to which the same settings apply. */
export interface ResourceLimits {
  of(spec: LimitSpec): EffectiveLimit;
  all(specs: Readonly<Record<string, LimitSpec>>): LimitSet;
}

/** Resolves limits and remembers them per alike resources: few distinct answers serve thousands of resources. */
export interface LimitResolver {
  of(spec: LimitSpec, resource: Resource): EffectiveLimit;
  for(resource: Resource): ResourceLimits;
}

const createResourceLimits = (settings: AlertSettings, resource: Resource): ResourceLimits => {
  const known = new Map<LimitSpec, EffectiveLimit>();
  const sets = new Map<Readonly<Record<string, LimitSpec>>, LimitSet>();
  const of = (spec: LimitSpec): EffectiveLimit => {
    const found = known.get(spec) ?? resolveLimit(spec, settings, resource);
    known.set(spec, found);
    return found;
  };
  return {
    of,
    all: (specs) => {
      const found = sets.get(specs);
      if (found !== undefined) return found;
      const limits = Object.fromEntries(Object.entries(specs).map(([name, spec]) => [name, of(spec)]));
      const effective = Object.values(limits);
      const set = { limits, allOff: effective.length > 0 && effective.every(({ off }) => off !== null) };
      sets.set(specs, set);
      return set;
    },
  };
};

export const createLimitResolver = (settings: AlertSettings): LimitResolver => {
  const { overrides } = settings;
  const known = new Map<string, ResourceLimits>();
  /** Alike: of the same kind, and matched by the same overrides. */
  const likeness = (resource: Resource): string => {
    let key: string = resource.kind;
    for (const [index, override] of overrides.entries()) {
      if (overrideMatches(override, resource)) key += ` ${index}`;
    }
    return key;
  };
  const limitsFor = (resource: Resource): ResourceLimits => {
    const key = overrides.length === 0 ? resource.kind : likeness(resource);
    const found = known.get(key);
    if (found !== undefined) return found;
    const made = createResourceLimits(settings, resource);
    known.set(key, made);
    return made;
  };
  return { of: (spec, resource) => limitsFor(resource).of(spec), for: limitsFor };
};
