/** What detectors have to remember of findings that are raised, should their own memory have been lost. */
import type { VerdictMemory } from '../signals/detector.ts';
import type { Memories } from '../signals/evaluate.ts';
import type { ResourceId } from '../signals/resource.ts';
import type { Finding } from './finding.ts';

export type Rememberable = Pick<
  Finding,
  | 'resourceId'
  | 'key'
  | 'detector'
  | 'state'
  | 'severity'
  | 'level'
  | 'sinceMs'
  | 'lastSeenAtMs'
  | 'lastSignalAtMs'
  | 'sourceIds'
>;

/** Null: no detector has shown it. */
export const memoryOf = (finding: Rememberable): VerdictMemory | null =>
  finding.state === 'active' && finding.detector !== null && finding.lastSignalAtMs !== null
    ? {
        severity: finding.severity,
        level: finding.level?.value ?? null,
        trigger: finding.level?.limit?.trigger ?? null,
        sinceMs: finding.sinceMs,
        bad: null,
        seenAtMs: finding.lastSeenAtMs,
        sourceIds: finding.sourceIds,
      }
    : null;

type Subjects = ReadonlyMap<string, VerdictMemory>;
type Detectors = ReadonlyMap<string, Subjects>;

/**
 * Memories in which every active finding is raised. Without this a value inside the hysteresis band would count as clear
 * where filing was kept and remembering was not, and a subject that is gone could not be missed.
 */
export const withFindings = (memories: Memories, findings: readonly Rememberable[]): Memories => {
  const raised = raisedBy(findings);
  const { onResource } = memories;
  const of: Memories['of'] = (detector, resourceId) => {
    const standing = raised.get(resourceId)?.get(detector);
    const kept = memories.of(detector, resourceId);
    return standing === undefined ? kept : overlay(kept, standing);
  };
  if (onResource === undefined) return { of };
  return {
    of,
    onResource: (resourceId) => {
      const standing = raised.get(resourceId);
      const kept = onResource.call(memories, resourceId);
      if (standing === undefined) return kept;
      const merged = new Map(kept);
      for (const [detector, subjects] of standing) merged.set(detector, overlay(kept?.get(detector), subjects));
      return merged;
    },
  };
};

const raisedBy = (findings: readonly Rememberable[]): ReadonlyMap<ResourceId, Detectors> => {
  const raised = new Map<ResourceId, Map<string, Map<string, VerdictMemory>>>();
  for (const finding of findings) {
    const { detector, resourceId, key } = finding;
    const memory = memoryOf(finding);
    if (memory === null || detector === null) continue;
    const detectors = raised.get(resourceId) ?? new Map<string, Map<string, VerdictMemory>>();
    const subjects = detectors.get(detector) ?? new Map<string, VerdictMemory>();
    raised.set(resourceId, detectors.set(detector, subjects.set(key.slice(detector.length + 1), memory)));
  }
  return raised;
};

const overlay = (kept: Subjects | undefined, standing: Subjects): Subjects => {
  const merged = new Map(kept);
  for (const [subject, memory] of standing) {
    const own = merged.get(subject);
    if (own === undefined) merged.set(subject, memory);
    else if (own.severity === null) merged.set(subject, { ...memory, bad: own.bad });
    else if (own.sourceIds === undefined && memory.sourceIds !== undefined)
      merged.set(subject, { ...own, sourceIds: memory.sourceIds });
  }
  return merged;
};
