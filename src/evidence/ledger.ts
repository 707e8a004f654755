/** The run's evidence: every survey's claims and readings joined into one consistent world. Pure. */
import type { SourceClaims } from '../../signals/claim.ts';
import type { ResourceGap, World } from '../../signals/evaluate.ts';
import { type Resolution, resolveIdentities } from '../../signals/identity.ts';
import type { Reading } from '../../signals/reading.ts';
import { asResourceId, type Resource, type ResourceId, type SourceId } from '../../signals/resource.ts';
import type { Series, Survey } from '../../signals/survey.ts';
import type { Inventory, InventoryChange } from './inventory-store.ts';
import { type Remembered, remembered } from './remembered.ts';

export interface LedgerInput {
  /** In the config's order, as the guard let them through. */
  readonly surveys: readonly Survey[];
  readonly inventory: Inventory;
  /** Every source that the config names, in its order, surveyed in this run or not. */
  readonly configured: readonly SourceId[];
  readonly sameAs: readonly (readonly string[])[];
  readonly tags: Readonly<Record<string, readonly string[]>>;
  readonly lastSurveyAtMs: (sourceId: SourceId) => number | null;
}

/** A source's own name for a thing. */
export interface Handle {
  readonly sourceId: SourceId;
  readonly ref: string;
}

export interface Ledger {
  readonly world: World;
  /** Evidence by id, for citing. */
  reading(id: string): Reading | null;
  readonly readings: readonly Reading[];
  /** Past values that sources delivered, by resource and metric. */
  readonly series: ReadonlyMap<ResourceId, ReadonlyMap<string, Series['samples']>>;
  /** What the sources that saw a resource in this run call it themselves. */
  handlesOf(id: ResourceId): readonly Handle[];
  readonly change: InventoryChange;
  /** Why a resource is gone; its findings resolve with it. */
  readonly gone: ReadonlyMap<ResourceId, string>;
  /** What could not be told apart or joined as the sources claimed it. */
  readonly doubts: Pick<Resolution, 'ambiguous' | 'problems'>;
}

export const sourceResourceId = (sourceId: SourceId): ResourceId => asResourceId(`source/${sourceId}`);

const sourceResource = ({ sourceId, outcome }: Survey): Resource => ({
  id: sourceResourceId(sourceId),
  kind: 'source',
  name: sourceId,
  parentId: null,
  status: outcome === 'ok' ? 'running' : outcome === 'partial' ? 'degraded' : 'failed',
  sourceIds: [sourceId],
  tags: [],
  expects: ['survey'],
  facts: {},
  presence: 'observed',
});

const collectReadings = (surveys: readonly Survey[], resolution: Resolution): readonly Reading[] => {
  const readings: Reading[] = [];
  const add = (reading: Omit<Reading, 'id'>): void => {
    readings.push({ ...reading, id: `e${readings.length + 1}` } as Reading);
  };
  for (const survey of surveys) {
    const { sourceId, startedAtMs, durationMs, outcome, reason } = survey;
    const receivedAtMs = startedAtMs + Math.round(durationMs);
    for (const { ref, ...body } of survey.readings) {
      const resourceId = resolution.idOf(sourceId, ref);
      if (resourceId !== null) add({ ...body, resourceId, sourceId, receivedAtMs });
    }
    add({
      kind: 'survey',
      outcome,
      reason,
      resourceId: sourceResourceId(sourceId),
      sourceId,
      takenAtMs: receivedAtMs,
      receivedAtMs,
    } as Omit<Reading, 'id'>);
  }
  return readings;
};

const push = <K, V>(map: Map<K, V[]>, key: K, value: V): void => {
  const list = map.get(key);
  if (list === undefined) map.set(key, [value]);
  else list.push(value);
};

interface Gaps {
  readonly byResource: ReadonlyMap<ResourceId, readonly ResourceGap[]>;
  readonly bySource: ReadonlyMap<SourceId, readonly ResourceGap[]>;
}

const collectGaps = (surveys: readonly Survey[], resolution: Resolution, kept: Remembered): Gaps => {
  const byResource = new Map<ResourceId, ResourceGap[]>([...kept.gaps].map(([id, gaps]) => [id, [...gaps]]));
  const bySource = new Map<SourceId, ResourceGap[]>();
  for (const { sourceId, outcome, reason: why, gaps } of surveys) {
    // What others still see of its things, they see without it: what it alone raised is not over by that.
    if (outcome === 'failed') {
      push(bySource, sourceId, {
        sourceId,
        reads: [],
        code: 'source_failed',
        reason: `${sourceId}: ${why ?? 'failed'}`,
      });
    }
    for (const { ref, reads, code, reason } of gaps) {
      const gap: ResourceGap = { sourceId, reads, code, reason };
      const id = ref === null ? null : resolution.idOf(sourceId, ref);
      if (ref === null) push(bySource, sourceId, gap);
      else if (id !== null) push(byResource, id, gap);
    }
  }
  return { byResource, bySource };
};

const collectSeries = (surveys: readonly Survey[], resolution: Resolution): Ledger['series'] => {
  const series = new Map<ResourceId, Map<string, Series['samples']>>();
  for (const survey of surveys) {
    for (const { ref, metric, samples } of survey.series) {
      const id = resolution.idOf(survey.sourceId, ref);
      if (id === null) continue;
      const own = series.get(id) ?? new Map<string, Series['samples']>();
      series.set(id, own.set(metric, samples));
    }
  }
  return series;
};

const NO_READINGS: readonly Reading[] = [];
const NO_GAPS: readonly ResourceGap[] = [];

const createWorld = (
  resources: readonly Resource[],
  readings: readonly Reading[],
  gaps: Gaps,
  lastSurveyAtMs: LedgerInput['lastSurveyAtMs'],
): World => {
  const byResource = new Map<ResourceId, Reading[]>();
  for (const reading of readings) push(byResource, reading.resourceId, reading);
  const sourcesOf = new Map(resources.map(({ id, sourceIds }) => [id, sourceIds]));
  return {
    resources,
    readingsOf: (id) => byResource.get(id) ?? NO_READINGS,
    gapsOf: (id) => {
      const own = gaps.byResource.get(id) ?? NO_GAPS;
      if (gaps.bySource.size === 0) return own;
      return [...own, ...(sourcesOf.get(id) ?? []).flatMap((sourceId) => gaps.bySource.get(sourceId) ?? NO_GAPS)];
    },
    lastSurveyAtMs,
  };
};

const goneBecause = (absent: InventoryChange['absent']): Ledger['gone'] =>
  new Map(
    absent
      .filter(({ gone }) => gone)
      .map(({ id }) => [id, 'its owner no longer lists it, or is no longer there itself']),
  );

const claimsOf = (sourceId: SourceId, survey: Survey | undefined): SourceClaims => ({
  sourceId,
  claims: survey?.claims ?? [],
  whole: survey?.outcome === 'ok',
});

export const createLedger = (input: LedgerInput): Ledger => {
  const { surveys, inventory, configured, sameAs, tags } = input;
  const bySource = new Map(surveys.map((survey) => [survey.sourceId, survey]));
  const claims = configured.map((sourceId) => claimsOf(sourceId, bySource.get(sourceId)));
  const resolution = resolveIdentities({ surveys: claims, known: inventory.known, sameAs, configTags: tags });
  const readings = collectReadings(surveys, resolution);
  const kept = remembered({
    inventory,
    seen: new Set(resolution.resources.map(({ id }) => id)),
    surveys: bySource,
    configured: new Set(configured),
    idOf: resolution.idOf,
  });
  const resources = [...surveys.map(sourceResource), ...resolution.resources, ...kept.resources];
  const byId = new Map(readings.map((reading) => [reading.id, reading]));
  return {
    world: createWorld(resources, readings, collectGaps(surveys, resolution, kept), input.lastSurveyAtMs),
    reading: (id) => byId.get(id) ?? null,
    readings,
    series: collectSeries(surveys, resolution),
    handlesOf: (id) =>
      surveys.flatMap(({ sourceId, claims: own }) =>
        own.filter(({ ref }) => resolution.idOf(sourceId, ref) === id).map(({ ref }) => ({ sourceId, ref })),
      ),
    change: {
      seen: resolution.resources,
      aliases: resolution.aliases,
      confirmed: resolution.confirmedHints.map((key) => ({ key, seenAtMs: inventory.hintsSeenAtMs.get(key) ?? 0 })),
      absent: kept.absent,
      merged: resolution.merged,
    },
    gone: goneBecause(kept.absent),
    doubts: { ambiguous: resolution.ambiguous, problems: resolution.problems },
  };
};
