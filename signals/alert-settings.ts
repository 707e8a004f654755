/** `alerts:` as the operator wrote it, or had it imported: per resource kind, with overrides. */
import { isGuest, type Resource, type ResourceKind } from './resource.ts';

/** What `alerts:` can be keyed by: every resource kind, and `guest` for VMs and containers together. */
export type AlertKind = ResourceKind | 'guest';

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

/** Least specific first, so that later layers win. */
export const alertKindsOf = (kind: ResourceKind): readonly AlertKind[] => (isGuest(kind) ? ['guest', kind] : [kind]);

/** `*` stands for any text, slashes included. Linear, whatever the operator wrote. */
export const globMatches = (pattern: string, value: string): boolean => {
  const [head = '', ...rest] = pattern.split('*');
  const tail = rest.pop();
  if (tail === undefined) return pattern === value;
  if (!value.startsWith(head)) return false;
  let from = head.length;
  for (const piece of rest) {
    const at = value.indexOf(piece, from);
    if (at < 0) return false;
    from = at + piece.length;
  }
  return value.length - tail.length >= from && value.endsWith(tail);
};

export const overrideMatches = ({ match }: AlertOverride, resource: Resource): boolean =>
  (match.id === undefined || globMatches(match.id, resource.id)) &&
  (match.tag === undefined || resource.tags.includes(match.tag)) &&
  (match.source === undefined || resource.sourceIds.includes(match.source));

/** An id says more than a tag, a tag more than a source; among equals the later one in the config wins. */
export const specificity = ({ match }: AlertOverride): number =>
  (match.id === undefined ? 0 : 4) + (match.tag === undefined ? 0 : 2) + (match.source === undefined ? 0 : 1);
