/** From what a source saw to verdicts, over several surveys, with what a daemon remembers in between. */

import type { VerdictMemory } from '../../signals/detector.ts';
import { detectors } from '../../signals/detectors/index.ts';
import { evaluate, type ResourceGap } from '../../signals/evaluate.ts';
import { remember, type Sample } from '../../signals/history.ts';
import { createLimitResolver, noSettings } from '../../signals/limits.ts';
import type { Reading } from '../../signals/reading.ts';
import type { ResourceId } from '../../signals/resource.ts';
import type { Sighting } from '../../src/sources/source.ts';
import { createInventory, surveyOf } from './identities.ts';

const SOURCE = 'this-host';

export interface Judged {
  /** `raised:critical`, `clear` or `unobserved:<code>`, by `<name> <detector>[:<subject>]`. */
  readonly states: Readonly<Record<string, string>>;
}

export interface Judge {
  judge(sighting: Sighting, nowMs: number, lastSurveyAtMs: number | null): Judged;
  /** What several sources saw in one run, by source in config order. */
  judgeAll(sightings: ReadonlyMap<string, Sighting>, nowMs: number, lastSurveyAtMs: number | null): Judged;
}

export const createJudge = (): Judge => {
  const inventory = createInventory();
  const samples = new Map<string, Sample[]>();
  const memories = new Map<string, Map<string, VerdictMemory>>();
  const samplesOf = (id: ResourceId, metric: string): Sample[] => {
    const key = `${id}\n${metric}`;
    const list = samples.get(key) ?? [];
    samples.set(key, list);
    return list;
  };
  const judgeAll: Judge['judgeAll'] = (sightings, nowMs, lastSurveyAtMs) => {
    const resolution = inventory.run([...sightings].map(([sourceId, { claims }]) => surveyOf(sourceId, claims)));
    const seen = [...sightings].map(([sourceId, sighting]) => ({
      sourceId,
      sighting,
      idOf: (ref: string): ResourceId | null => resolution.idOf(sourceId, ref),
    }));
    const readings = seen.flatMap(({ sourceId, sighting, idOf }) =>
      sighting.readings.flatMap((reading, index) => {
        const resourceId = idOf(reading.ref);
        const stamp = { id: `${sourceId}-e${index}`, sourceId, receivedAtMs: reading.takenAtMs };
        return resourceId === null ? [] : [{ ...reading, ...stamp, resourceId } as Reading];
      }),
    );
    const past = new Map(
      seen.flatMap(({ sighting, idOf }) =>
        sighting.series.map(({ ref, metric, samples: own }) => [`${idOf(ref)}\n${metric}`, own] as const),
      ),
    );
    // A gap of everything is about what its source sees; one about what nobody knows is about nothing.
    const gaps = seen.flatMap(({ sourceId, sighting, idOf }) =>
      sighting.gaps.flatMap((gap) => {
        const id = gap.ref === null ? null : idOf(gap.ref);
        return gap.ref !== null && id === null ? [] : [{ ...gap, sourceId, id }];
      }),
    );
    const sourcesOf = new Map(resolution.resources.map(({ id, sourceIds }) => [id, sourceIds]));
    const { verdicts } = evaluate({
      world: {
        resources: resolution.resources,
        readingsOf: (id) => readings.filter(({ resourceId }) => resourceId === id),
        gapsOf: (id): readonly ResourceGap[] =>
          gaps.filter((gap) => (gap.id === null ? sourcesOf.get(id)?.includes(gap.sourceId) === true : gap.id === id)),
        lastSurveyAtMs: () => lastSurveyAtMs,
      },
      detectors,
      limits: createLimitResolver(noSettings),
      history: {
        // What the source itself keeps goes before what was remembered of its readings.
        of: (id) => ({ samples: (metric) => past.get(`${id}\n${metric}`) ?? samples.get(`${id}\n${metric}`) ?? [] }),
      },
      memories: { of: (detector, id) => memories.get(`${detector}\n${id}`) },
      nowMs,
    });
    for (const reading of readings) {
      for (const { metric, value, windowMs } of remember(reading)) {
        samplesOf(reading.resourceId, metric).push({ atMs: reading.takenAtMs, value, windowMs });
      }
    }
    for (const { detector, resourceId, subject, memory } of verdicts) {
      const key = `${detector}\n${resourceId}`;
      const known = memories.get(key) ?? new Map<string, VerdictMemory>();
      if (memory === null) known.delete(subject ?? '');
      else known.set(subject ?? '', memory);
      memories.set(key, known);
    }
    const names = new Map(resolution.resources.map(({ id, name }) => [id, name]));
    return {
      states: Object.fromEntries(
        verdicts.map((verdict) => {
          const subject = verdict.subject === null ? '' : `:${verdict.subject}`;
          const detail =
            verdict.state === 'raised'
              ? `:${verdict.signal.severity}`
              : verdict.state === 'unobserved'
                ? `:${verdict.code}`
                : '';
          return [`${names.get(verdict.resourceId)} ${verdict.detector}${subject}`, `${verdict.state}${detail}`];
        }),
      ),
    };
  };
  return {
    judge: (sighting, nowMs, lastSurveyAtMs) => judgeAll(new Map([[SOURCE, sighting]]), nowMs, lastSurveyAtMs),
    judgeAll,
  };
};
