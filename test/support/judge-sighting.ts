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
  return {
    judge: (sighting, nowMs, lastSurveyAtMs) => {
      const resolution = inventory.run([surveyOf(SOURCE, sighting.claims)]);
      const idOf = (ref: string): ResourceId | null => resolution.idOf(SOURCE, ref);
      const readings = sighting.readings.flatMap((reading, index) => {
        const resourceId = idOf(reading.ref);
        const stamp = { id: `e${index}`, sourceId: SOURCE, receivedAtMs: reading.takenAtMs };
        return resourceId === null ? [] : [{ ...reading, ...stamp, resourceId } as Reading];
      });
      const past = new Map(sighting.series.map(({ ref, metric, samples: own }) => [`${idOf(ref)}\n${metric}`, own]));
      const gaps = sighting.gaps.map((gap) => ({
        ...gap,
        sourceId: SOURCE,
        id: gap.ref === null ? null : idOf(gap.ref),
      }));
      const { verdicts } = evaluate({
        world: {
          resources: resolution.resources,
          readingsOf: (id) => readings.filter(({ resourceId }) => resourceId === id),
          gapsOf: (id): readonly ResourceGap[] => gaps.filter((gap) => gap.id === null || gap.id === id),
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
    },
  };
};
