/** The operator's alert settings, resolved field by field into the limits of one resource, with where each came from. */
import { isGuest, type Resource, type ResourceKind } from './resource.ts';

/** What `alerts:` can be keyed by: every resource kind, and `guest` for VMs and containers together. */
export type AlertKind = ResourceKind | 'guest';

export type Unit = 'percent' | 'celsius' | 'count' | 'ms' | 'hours' | 'days' | 'seconds';

/** One limit as a detector ships it. `metric` is its name below `alerts.<kind>`, unique per kind over all detectors. */
export interface LimitSpec {
  readonly metric: string;
  readonly kinds: readonly ResourceKind[];
  readonly unit: Unit;
  /** Which way is bad. `state`: a fault without a figure; only `for` and `off` can be set. */
  readonly direction: 'above' | 'below' | 'state';
  readonly warning: number | null;
  readonly critical: number | null;
  /** Distance from a trigger to where it clears, in the unit. */
  readonly clearBy: number;
  readonly forMs: number;
  /** Where the numbers come from, for the docs and `patrold thresholds`. */
  readonly because: string;
}

export type LimitOrigin =
  | { readonly kind: 'default' }
  | { readonly kind: 'setting'; readonly path: string }
  | { readonly kind: 'override'; readonly path: string }
  | { readonly kind: 'import'; readonly path: string }
  | { readonly kind: 'derived'; readonly reason: string };

/** One severity's limit: raises at `trigger` or worse, and once raised clears at `clear` or better. */
export interface Bound {
  readonly trigger: number;
  readonly clear: number;
  readonly origin: LimitOrigin;
}

/** A limit as it holds for one resource. */
export interface EffectiveLimit {
  readonly spec: LimitSpec;
  readonly off: LimitOrigin | null;
  readonly warning: Bound | null;
  readonly critical: Bound | null;
  readonly forMs: number;
  readonly forOrigin: LimitOrigin;
}

/** One metric's setting, as the operator wrote it. Numbers are in the limit's unit. */
export interface MetricSetting {
  readonly off?: boolean;
  readonly warning?: number | 'off';
  readonly critical?: number | 'off';
  readonly forMs?: number;
  /** Where the warning clears; the critical one clears at its own distance unless written too. */
  readonly clear?: number;
  readonly clearCritical?: number;
  /** Path in the config, or the name of what it was imported from. */
  readonly path: string;
  readonly imported?: boolean;
}

export type KindSettings = Readonly<Partial<Record<AlertKind, Readonly<Record<string, MetricSetting>>>>>;

export interface AlertOverride {
  /** All given criteria must hold. `id` may hold `*`. */
  readonly match: { readonly id?: string; readonly tag?: string; readonly source?: string };
  readonly settings: KindSettings;
}

export interface AlertSettings {
  readonly kinds: KindSettings;
  readonly overrides: readonly AlertOverride[];
}

export const noSettings: AlertSettings = { kinds: {}, overrides: [] };

const DEFAULT: LimitOrigin = { kind: 'default' };

/** Least specific first, so that later layers win. */
const alertKindsOf = (kind: ResourceKind): readonly AlertKind[] => (isGuest(kind) ? ['guest', kind] : [kind]);

const globMatches = (pattern: string, value: string): boolean => {
  if (!pattern.includes('*')) return pattern === value;
  const parts = pattern.split('*').map((part) => part.replace(/[.+?^${}()|[\]\\]/g, '\\$&'));
  return new RegExp(`^${parts.join('.*')}$`, 's').test(value);
};

export const overrideMatches = ({ match }: AlertOverride, resource: Resource): boolean =>
  (match.id === undefined || globMatches(match.id, resource.id)) &&
  (match.tag === undefined || resource.tags.includes(match.tag)) &&
  (match.source === undefined || resource.sourceIds.includes(match.source));

/** An id says more than a tag, a tag more than a source; among equals the later one in the config wins. */
const specificity = ({ match }: AlertOverride): number =>
  (match.id === undefined ? 0 : 4) + (match.tag === undefined ? 0 : 2) + (match.source === undefined ? 0 : 1);

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

interface Field<T> {
  readonly value: T;
  readonly origin: LimitOrigin;
  readonly rank: number;
}

const pick = <T>(
  layers: readonly Layer[],
  field: keyof MetricSetting,
  read: (setting: MetricSetting) => T | undefined,
  fallback: T,
): Field<T> => {
  for (const { setting, originKind, rank } of layers.toReversed()) {
    const value = read(setting);
    if (value === undefined) continue;
    const path = `${setting.path}.${field}`;
    return { value, origin: { kind: setting.imported === true ? 'import' : originKind, path }, rank };
  }
  return { value: fallback, origin: DEFAULT, rank: 0 };
};

const worse = (direction: LimitSpec['direction'], a: number, b: number): boolean => (direction === 'below' ? a < b : a > b);

/**
 * A critical limit that is no worse than a warning written with more authority would fire first, against the operator's
 * plain intent; it moves half-way to the end of the scale (percent), or goes.
 */
const reconcileCritical = (spec: LimitSpec, warning: Field<number | 'off' | null>, critical: Field<number | 'off' | null>): Field<number | 'off' | null> => {
  if (typeof warning.value !== 'number' || typeof critical.value !== 'number') return critical;
  if (warning.rank <= critical.rank || worse(spec.direction, critical.value, warning.value)) return critical;
  const reason = `the inherited critical limit ${critical.value} lies before the warning limit ${warning.value}`;
  const end = spec.direction === 'below' ? 0 : 100;
  const value = spec.unit === 'percent' ? (warning.value + end) / 2 : null;
  return { value, origin: { kind: 'derived', reason }, rank: critical.rank };
};

const bound = (spec: LimitSpec, field: Field<number | 'off' | null>, clear: number | undefined): Bound | null => {
  if (typeof field.value !== 'number') return null;
  const usual = spec.direction === 'below' ? field.value + spec.clearBy : field.value - spec.clearBy;
  return { trigger: field.value, clear: clear ?? usual, origin: field.origin };
};

const specLayerOff = (layers: readonly Layer[]): LimitOrigin | null => {
  const last = layers.findLast(({ setting }) => setting.off !== undefined || setting.warning !== undefined || setting.critical !== undefined);
  if (last?.setting.off !== true) return null;
  return { kind: last.originKind, path: last.setting.path };
};

/** The limit that holds for one resource. */
export const resolveLimit = (spec: LimitSpec, settings: AlertSettings, resource: Resource): EffectiveLimit => {
  const layers = layersFor(settings, resource, spec.metric);
  const warning = pick<number | 'off' | null>(layers, 'warning', (setting) => setting.warning, spec.warning);
  const critical = reconcileCritical(
    spec,
    warning,
    pick<number | 'off' | null>(layers, 'critical', (setting) => setting.critical, spec.critical),
  );
  const forField = pick(layers, 'forMs', (setting) => setting.forMs, spec.forMs);
  const clear = pick<number | null>(layers, 'clear', (setting) => setting.clear, null);
  const clearCritical = pick<number | null>(layers, 'clearCritical', (setting) => setting.clearCritical, null);
  return {
    spec,
    off: specLayerOff(layers),
    // A clear written for a weaker layer's warning doesn't belong to the warning of a stronger one.
    warning: bound(spec, warning, clear.value !== null && clear.rank >= warning.rank ? clear.value : undefined),
    critical: bound(spec, critical, clearCritical.value !== null && clearCritical.rank >= critical.rank ? clearCritical.value : undefined),
    forMs: forField.value,
    forOrigin: forField.origin,
  };
};

/** Whether the operator, not patrold, wrote this number: then it is taken as written (DETECTORS.md rule 4). */
export const isWritten = (origin: LimitOrigin): boolean => origin.kind !== 'default' && origin.kind !== 'derived';

/** Resolves limits and remembers them per alike resources: few distinct answers serve thousands of resources. */
export interface LimitResolver {
  of(spec: LimitSpec, resource: Resource): EffectiveLimit;
}

export const createLimitResolver = (settings: AlertSettings): LimitResolver => {
  const byId = settings.overrides.filter(({ match }) => match.id !== undefined);
  const known = new Map<string, Map<LimitSpec, EffectiveLimit>>();
  const profiles = new WeakMap<Resource, Map<LimitSpec, EffectiveLimit>>();
  const profileOf = (resource: Resource): Map<LimitSpec, EffectiveLimit> => {
    const cached = profiles.get(resource);
    if (cached !== undefined) return cached;
    const ids = byId.some((override) => overrideMatches(override, resource)) ? resource.id : '';
    const key = settings.overrides.length === 0 ? resource.kind : [resource.kind, ids, resource.sourceIds.join(), resource.tags.join()].join('\n');
    const profile = known.get(key) ?? new Map<LimitSpec, EffectiveLimit>();
    known.set(key, profile);
    profiles.set(resource, profile);
    return profile;
  };
  return {
    of: (spec, resource) => {
      const profile = profileOf(resource);
      const found = profile.get(spec);
      if (found !== undefined) return found;
      const limit = resolveLimit(spec, settings, resource);
      profile.set(spec, limit);
      return limit;
    },
  };
};
