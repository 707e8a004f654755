/** Which detectors may have something to say about a resource, found out once for a whole evaluation. */
import type { AnyDetector } from './detector.ts';
import { maskOf } from './reading-mask.ts';
import type { ResourceKind } from './resource.ts';

export interface DetectorPlan {
  readonly detector: AnyDetector;
  /** Bits of the kinds that it reads. */
  readonly mask: number;
}

export type DetectorPlans = ReadonlyMap<ResourceKind, readonly DetectorPlan[]>;

/** In the order of the list, for each kind of resource. */
export const planDetectors = (detectors: readonly AnyDetector[]): DetectorPlans => {
  const byKind = new Map<ResourceKind, DetectorPlan[]>();
  for (const detector of detectors) {
    const plan: DetectorPlan = { detector, mask: maskOf(detector.reads) };
    for (const kind of detector.kinds) {
      const list = byKind.get(kind);
      if (list === undefined) byKind.set(kind, [plan]);
      else list.push(plan);
    }
  }
  return byKind;
};
