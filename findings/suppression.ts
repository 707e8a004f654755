/** Rules by which an operator silences one problem, or one category, on one resource. */
import type { Category } from '../signals/detector.ts';
import type { ResourceId } from '../signals/resource.ts';
import type { Finding } from './finding.ts';

export type SuppressionMatch =
  | { readonly kind: 'key'; readonly key: string }
  | { readonly kind: 'category'; readonly category: Category };

export interface Suppression {
  readonly id: string;
  readonly resourceId: ResourceId;
  readonly match: SuppressionMatch;
  readonly by: string;
  readonly reason: string | null;
  readonly createdAtMs: number;
}

export type Suppressible = Pick<Finding, 'resourceId' | 'key' | 'category'>;

export const suppresses = ({ resourceId, match }: Suppression, finding: Suppressible): boolean => {
  if (resourceId !== finding.resourceId) return false;
  return match.kind === 'key' ? match.key === finding.key : match.category === finding.category;
};

export interface Suppressions {
  /** The rule that silences it, the more specific one first; null: none does. */
  of(finding: Suppressible): Suppression | null;
}

/** Most of them do not apply to most findings: they are found by resource. */
export const suppressionsOf = (rules: readonly Suppression[]): Suppressions => {
  const byResource = Map.groupBy(rules, ({ resourceId }) => resourceId);
  return {
    of: (finding) => {
      const matching = byResource.get(finding.resourceId)?.filter((rule) => suppresses(rule, finding)) ?? [];
      return matching.find(({ match }) => match.kind === 'key') ?? matching[0] ?? null;
    },
  };
};
