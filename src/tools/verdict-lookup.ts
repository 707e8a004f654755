/**
 * What the detectors say of one resource, asked before their stage to check a claim by. It writes nothing, and the same
 * evidence gives the same verdicts that the stage will give.
 */
import { withFindings } from '../../findings/memory.ts';
import { renamed } from '../../findings/renamed.ts';
import type { FindingStore } from '../../findings/store.ts';
import type { AnyDetector, Verdict } from '../../signals/detector.ts';
import { evaluate, type Memories, type Skip } from '../../signals/evaluate.ts';
import type { History } from '../../signals/history.ts';
import type { LimitResolver } from '../../signals/limits.ts';
import type { Resource, ResourceId } from '../../signals/resource.ts';
import type { Ledger } from '../evidence/ledger.ts';

export interface Judged {
  readonly verdicts: readonly Verdict[];
  readonly skipped: readonly Skip[];
}

export interface VerdictLookup {
  readonly detectors: readonly AnyDetector[];
  on(resource: Resource): Judged;
}

export interface VerdictLookupDeps {
  readonly ledger: Ledger;
  readonly detectors: readonly AnyDetector[];
  readonly limits: LimitResolver;
  readonly history: History;
  /** As the last run left them. */
  readonly memories: Memories;
  readonly findings: Pick<FindingStore, 'active'>;
  readonly nowMs: number;
}

export const createVerdictLookup = (deps: VerdictLookupDeps): VerdictLookup => {
  const { ledger, detectors, limits, history, nowMs } = deps;
  // Taken once: what a model files meanwhile is no memory of a detector.
  const memories = withFindings(deps.memories, renamed(deps.findings.active(), ledger.change.merged));
  const asked = new Map<ResourceId, Judged>();
  return {
    detectors,
    on: (resource) => {
      const known = asked.get(resource.id);
      if (known !== undefined) return known;
      const world = { ...ledger.world, resources: [resource] };
      const { verdicts, skipped } = evaluate({ world, detectors, limits, history, memories, nowMs });
      const judged = { verdicts, skipped };
      asked.set(resource.id, judged);
      return judged;
    },
  };
};
