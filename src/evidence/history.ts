/** The past as detectors ask for it: what the source delivered, else what patrold kept. Read when asked, once. */
import type { History, ResourceHistory, Sample } from '../../signals/history.ts';
import type { ResourceId } from '../../signals/resource.ts';
import type { Ledger } from './ledger.ts';
import { COUNTER_SAMPLES_MS, type SampleStore } from './sample-store.ts';

const NOTHING: readonly Sample[] = [];

export const createHistory = (series: Ledger['series'], store: SampleStore, nowMs: number): History => {
  const past = (samples: readonly Sample[]): readonly Sample[] => {
    const last = samples.at(-1);
    return last === undefined || last.atMs <= nowMs ? samples : samples.filter(({ atMs }) => atMs <= nowMs);
  };
  const read = (resourceId: ResourceId, metric: string): readonly Sample[] => {
    const delivered = series.get(resourceId)?.get(metric);
    return past(delivered ?? store.of(resourceId, metric, nowMs - COUNTER_SAMPLES_MS));
  };
  return {
    of: (resourceId): ResourceHistory => {
      let known: Map<string, readonly Sample[]> | undefined;
      return {
        samples: (metric) => {
          known ??= new Map();
          const found = known.get(metric) ?? read(resourceId, metric);
          known.set(metric, found);
          return found ?? NOTHING;
        },
      };
    },
  };
};
