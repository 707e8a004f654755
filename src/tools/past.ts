/** Past values of metrics, with the ones that this run brought as the newest. */
import { FUTURE_TOLERANCE_MS } from '../../signals/freshness.ts';
import { remember, type Sample } from '../../signals/history.ts';
import type { ResourceId } from '../../signals/resource.ts';
import { createHistory } from '../evidence/history.ts';
import type { Ledger } from '../evidence/ledger.ts';
import type { SampleStore } from '../evidence/sample-store.ts';

export interface Past {
  /** Sorted. */
  metricsOf(resourceId: ResourceId): readonly string[];
  /** Oldest first. */
  samples(resourceId: ResourceId, metric: string): readonly Sample[];
}

/** A run reads its sources after its one look at the clock. */
const READ_WITHIN_MS = FUTURE_TOLERANCE_MS;

export const createPast = (ledger: Ledger, store: SampleStore, nowMs: number): Past => {
  const history = createHistory(ledger.series, store, nowMs);
  const brought = (resourceId: ResourceId) =>
    ledger.world
      .readingsOf(resourceId)
      .flatMap((reading) => remember(reading).map((kept) => ({ ...kept, atMs: reading.takenAtMs })));
  return {
    metricsOf: (resourceId) =>
      [
        ...new Set([
          ...(ledger.series.get(resourceId)?.keys() ?? []),
          ...store.metricsOf(resourceId),
          ...brought(resourceId).map(({ metric }) => metric),
        ]),
      ].toSorted(),
    samples: (resourceId, metric) => {
      const kept = history.of(resourceId).samples(metric);
      const lastAtMs = kept.at(-1)?.atMs ?? Number.NEGATIVE_INFINITY;
      const now = brought(resourceId)
        .filter((sample) => sample.metric === metric && sample.atMs > lastAtMs && sample.atMs <= nowMs + READ_WITHIN_MS)
        .map(({ atMs, value, windowMs }): Sample => ({ atMs, value, windowMs }))
        .toSorted((a, b) => a.atMs - b.atMs);
      return [...kept, ...now];
    },
  };
};
