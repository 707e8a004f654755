/** Signals that no active finding stands for yet. */
import type { Signal } from './detector.ts';
import type { ResourceId } from './resource.ts';

/** What of a finding matters for matching: one problem is (resource, issue key), never a category. */
export interface Matchable {
  readonly resourceId: ResourceId;
  readonly key: string;
}

const identity = ({ resourceId, key }: Matchable): string => `${resourceId}\n${key}`;

export interface Matching<F extends Matchable> {
  readonly matched: readonly { readonly signal: Signal; readonly finding: F }[];
  readonly unmatched: readonly Signal[];
}

export const match = <F extends Matchable>(signals: readonly Signal[], findings: Iterable<F>): Matching<F> => {
  const known = new Map<string, F>();
  for (const finding of findings) known.set(identity(finding), finding);
  const matched: { signal: Signal; finding: F }[] = [];
  const unmatched: Signal[] = [];
  for (const signal of signals) {
    const finding = known.get(identity(signal));
    if (finding === undefined) unmatched.push(signal);
    else matched.push({ signal, finding });
  }
  return { matched, unmatched };
};
