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
        sinceMs: finding.sinceMs,
        bad: null,
        seenAtMs: finding.lastSeenAtMs,
        sourceIds: finding.sourceIds,
      }
    : null;

const pairOf = (detector: string, resourceId: ResourceId): string => `${resourceId}\n${detector}`;

/**
 * Memories in which every active finding is raised. Without this a value inside the hysteresis band would count as clear
 * after a crash between filing and remembering, and a subject that is gone could not be missed.
 */
export const withFindings = (memories: Memories, findings: readonly Rememberable[]): Memories => {
  const raised = new Map<string, Map<string, VerdictMemory>>();
  for (const finding of findings) {
    const memory = memoryOf(finding);
    if (memory === null || finding.detector === null) continue;
    const pair = pairOf(finding.detector, finding.resourceId);
    const subjects = raised.get(pair) ?? new Map<string, VerdictMemory>();
    subjects.set(finding.key.slice(finding.detector.length + 1), memory);
    raised.set(pair, subjects);
  }
  return {
    of: (detector, resourceId) => {
      const kept = memories.of(detector, resourceId);
      const standing = raised.get(pairOf(detector, resourceId));
      return standing === undefined ? kept : overlay(kept, standing);
    },
  };
};

const overlay = (
  kept: ReadonlyMap<string, VerdictMemory> | undefined,
  standing: ReadonlyMap<string, VerdictMemory>,
): ReadonlyMap<string, VerdictMemory> => {
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
