/** Stage 6: every detector over the whole ledger. */
import { withFindings } from '../../../findings/memory.ts';
import { renamed } from '../../../findings/renamed.ts';
import type { FindingStore } from '../../../findings/store.ts';
import { type Evaluation, evaluate } from '../../../signals/evaluate.ts';
import { createHistory } from '../../evidence/history.ts';
import type { Ledger } from '../../evidence/ledger.ts';
import type { SampleStore } from '../../evidence/sample-store.ts';
import type { KeptVerdicts, VerdictStore } from '../../evidence/verdict-store.ts';
import { inScope, type Scope } from '../scope.ts';
import type { PatrolSettings } from '../settings.ts';

export interface DetectorsInput {
  readonly settings: PatrolSettings;
  readonly ledger: Ledger;
  readonly scope: Scope | null;
  readonly nowMs: number;
}

export interface Detected {
  readonly evaluation: Evaluation;
  readonly memories: KeptVerdicts;
  readonly resourcesInScope: number;
}

export const detectorsStage = (
  deps: {
    readonly samples: SampleStore;
    readonly verdicts: VerdictStore;
    readonly findings: Pick<FindingStore, 'active'>;
  },
  { settings, ledger, scope, nowMs }: DetectorsInput,
): Detected => {
  const { world } = ledger;
  const parents = new Map(world.resources.map(({ id, parentId }) => [id as string, parentId as string | null]));
  const resources = world.resources.filter((resource) => inScope(scope, resource, (id) => parents.get(id) ?? null));
  const memories = deps.verdicts.load(ledger.change.merged);
  const evaluation = evaluate({
    world: { ...world, resources },
    detectors: settings.detectors,
    limits: settings.limits,
    history: createHistory(ledger.series, deps.samples, nowMs),
    memories: withFindings(memories, renamed(deps.findings.active(), ledger.change.merged)),
    nowMs,
  });
  return { evaluation, memories, resourcesInScope: resources.length };
};
