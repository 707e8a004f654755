/** Stage 0: each source is read once, and everything later looks at what was read then. */
import type { ResourceKind, SourceId } from '../../../signals/resource.ts';
import type { Survey } from '../../../signals/survey.ts';
import { guardEmpty, heldBy } from '../../evidence/empty-guard.ts';
import type { Inventory } from '../../evidence/inventory-store.ts';
import { createLedger, type Ledger } from '../../evidence/ledger.ts';
import type { SourceStore } from '../../evidence/source-store.ts';
import type { Pace } from '../../sources/source.ts';
import { type SurveyDeps, surveyAll } from '../../sources/survey-source.ts';
import type { RunKind } from '../run-record.ts';
import type { Scope } from '../scope.ts';
import type { ConfiguredSource, PatrolSettings } from '../settings.ts';

const HOUR_MS = 3_600_000;

/** A little less than the pace, so that a schedule that runs a second early does not skip a beat. */
const DUE_AFTER_MS: Readonly<Record<Pace, number>> = { fast: 0, hourly: 0.95 * HOUR_MS, daily: 23 * HOUR_MS };
const PACES: readonly Pace[] = ['fast', 'hourly', 'daily'];

/** Where the guard keeps which lists came back empty. */
const EMPTIED_KEY = 'patrold.emptied-lists';

export interface SurveyStageDeps extends SurveyDeps {
  readonly sources: SourceStore;
}

export interface SurveyStageInput {
  readonly settings: PatrolSettings;
  readonly kind: RunKind;
  readonly scope: Scope | null;
  readonly inventory: Inventory;
  readonly nowMs: number;
  readonly signal: AbortSignal;
  readonly onSurvey: (survey: Survey) => void;
}

export interface Surveyed {
  readonly surveys: readonly Survey[];
  readonly paces: ReadonlyMap<SourceId, readonly Pace[]>;
  readonly ledger: Ledger;
}

/** A patrol reads everything; a watch what is due. */
const duePaces = (store: SourceStore, sourceId: SourceId, kind: RunKind, nowMs: number): readonly Pace[] =>
  PACES.filter((pace) => {
    if (kind === 'patrol' || pace === 'fast') return true;
    const last = store.last(sourceId, pace);
    // A clock that was set back leaves a survey in the future: then it is due as well.
    return last === null || nowMs - last.lastAtMs >= DUE_AFTER_MS[pace] || last.lastAtMs > nowMs;
  });

/** Sources that can say something about what is in scope; all of them, where that can't be told. */
const sourcesInScope = (
  sources: readonly ConfiguredSource[],
  scope: Scope | null,
  inventory: Inventory,
): readonly ConfiguredSource[] => {
  if (scope === null || scope.kinds.length > 0 || scope.tags.length > 0) return sources;
  const wanted = new Set(scope.sources);
  for (const id of scope.ids) {
    const own = [...inventory.resources.values()].filter(
      (resource) => resource.id === id || resource.id.startsWith(`${id}/`),
    );
    if (own.length === 0) return sources;
    for (const resource of own) for (const sourceId of resource.sourceIds) wanted.add(sourceId);
  }
  return sources.filter(({ source }) => wanted.has(source.id));
};

export const surveyStage = async (deps: SurveyStageDeps, input: SurveyStageInput): Promise<Surveyed> => {
  const { settings, kind, scope, inventory, nowMs, signal } = input;
  const asked = sourcesInScope(settings.sources, scope, inventory);
  const paces = new Map(asked.map(({ source }) => [source.id, duePaces(deps.sources, source.id, kind, nowMs)]));
  const lastCompleteAtMs = (sourceId: SourceId): number | null =>
    deps.sources.last(sourceId, 'fast')?.lastCompleteAtMs ?? null;
  const tasks = asked.map(({ source, timeoutMs }) => ({
    source,
    timeoutMs,
    request: {
      signal,
      windowsMs: settings.windowsMs,
      lastSurveyAtMs: lastCompleteAtMs(source.id),
      paces: paces.get(source.id) ?? [],
    },
  }));
  const read = await surveyAll(tasks, deps, input.onSurvey);
  const surveys = read.map((survey) => {
    const state = deps.sources.stateOf(survey.sourceId);
    const before = (state.get(EMPTIED_KEY) ?? []) as readonly ResourceKind[];
    const guarded = guardEmpty(survey, heldBy(inventory, survey.sourceId), before);
    if (guarded.emptied.length > 0 || before.length > 0) state.set(EMPTIED_KEY, guarded.emptied);
    return guarded.survey;
  });
  const configured = settings.sources.map(({ source }) => source.id);
  const { sameAs, tags } = settings;
  return {
    surveys,
    paces,
    ledger: createLedger({ surveys, inventory, configured, sameAs, tags, lastSurveyAtMs: lastCompleteAtMs }),
  };
};
