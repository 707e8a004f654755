/** Many findings with one cause are shown under the cause, and come out again when it is over. Pure. */
import { isWorse } from '../signals/detector.ts';
import type { ResourceId, SourceId } from '../signals/resource.ts';
import { isLossType, isSymptomType } from './cause.ts';
import type { Finding, FindingId } from './finding.ts';
import { keyType } from './identity.ts';
import type { Change } from './reconcile.ts';

/** What of a resource decides. */
export interface Place {
  readonly parentId: ResourceId | null;
  readonly sourceIds: readonly SourceId[];
  /** Of a resource that stands for a configured source: which one; else null. */
  readonly isSource: SourceId | null;
}

export type Foldable = Pick<
  Finding,
  'id' | 'resourceId' | 'key' | 'severity' | 'state' | 'disposition' | 'stale' | 'foldedUnder' | 'openedAtMs'
>;

export interface FoldInput {
  /** All active findings. */
  readonly findings: readonly Foldable[];
  placeOf(id: ResourceId): Place | undefined;
}

/** A symptom is often noticed before its cause: a probe fails at once, a host counts as lost after ten minutes. */
export const SYMPTOM_LEADS_BY_MS = 15 * 60_000;
/** A guard against a loop of parents, far above any real nesting. */
const MAX_DEPTH = 16;

/**
 * A finding folds under the loss of something above its resource, or of all its sources, if it began with that loss (what
 * was known before is a problem of its own), is a symptom or can't be observed now, and is no worse than its cause.
 */
export const fold = (input: FoldInput): readonly Change[] => {
  const under = withoutCircles(input.findings, undersOf(input));
  const changes: Change[] = [];
  for (const { id, state, foldedUnder: before } of input.findings) {
    const now = under.get(id) ?? null;
    if (state !== 'active' || now === before) continue;
    changes.push({ findingId: id, event: now === null ? { kind: 'unfolded' } : { kind: 'folded', under: now } });
  }
  return changes;
};

type Unders = ReadonlyMap<FindingId, FindingId>;

const undersOf = (input: FoldInput): Unders => {
  const causes = causesOf(input);
  const unders = new Map<FindingId, FindingId>();
  for (const finding of input.findings) {
    const cause = finding.state === 'active' ? causeOf(finding, causes, input) : null;
    if (cause !== null) unders.set(finding.id, cause.id);
  }
  return unders;
};

/** Two losses may explain each other (a source on the host that it watches): the one that began first stands. */
const withoutCircles = (findings: readonly Foldable[], unders: Unders): Unders => {
  const kept = new Map(unders);
  const oldestFirst = findings
    .filter(({ id }) => unders.has(id))
    .sort((a, b) => a.openedAtMs - b.openedAtMs || (a.id < b.id ? -1 : 1));
  for (const { id } of oldestFirst) if (isInCircle(id, kept)) kept.delete(id);
  return kept;
};

/** Whether what it folds under folds, in the end, under it. */
const isInCircle = (id: FindingId, unders: Unders): boolean => {
  let at = unders.get(id);
  for (let depth = 0; at !== undefined && depth < unders.size; depth += 1) {
    if (at === id) return true;
    at = unders.get(at);
  }
  return false;
};

interface Causes {
  readonly byResource: ReadonlyMap<ResourceId, Foldable>;
  readonly bySource: ReadonlyMap<SourceId, Foldable>;
}

const causesOf = ({ findings, placeOf }: FoldInput): Causes => {
  const byResource = new Map<ResourceId, Foldable>();
  const bySource = new Map<SourceId, Foldable>();
  for (const finding of findings) {
    // A loss of one part, named by a subject, is not the loss of the whole; one that is no issue explains nothing.
    const whole = isLossType(finding.key) && finding.state === 'active' && finding.disposition.kind !== 'dismissed';
    if (!whole) continue;
    const known = byResource.get(finding.resourceId);
    if (known === undefined || isWorse(finding.severity, known.severity)) byResource.set(finding.resourceId, finding);
    const sourceId = placeOf(finding.resourceId)?.isSource ?? null;
    if (sourceId !== null) bySource.set(sourceId, finding);
  }
  return { byResource, bySource };
};

const causeOf = (finding: Foldable, causes: Causes, input: FoldInput): Foldable | null => {
  if (causes.byResource.size === 0) return null;
  if (finding.stale === null && !isSymptomType(keyType(finding.key))) return null;
  const explains = (cause: Foldable): boolean =>
    cause.id !== finding.id &&
    finding.openedAtMs >= cause.openedAtMs - SYMPTOM_LEADS_BY_MS &&
    !isWorse(finding.severity, cause.severity);
  return topmostAbove(finding, causes, input, explains) ?? lostSource(finding, causes, input, explains);
};

/** The topmost loss explains most. */
const topmostAbove = (
  finding: Foldable,
  causes: Causes,
  { placeOf }: FoldInput,
  explains: (cause: Foldable) => boolean,
): Foldable | null => {
  let topmost: Foldable | null = null;
  let parentId = placeOf(finding.resourceId)?.parentId ?? null;
  for (let depth = 0; parentId !== null && parentId !== finding.resourceId && depth < MAX_DEPTH; depth += 1) {
    const cause = causes.byResource.get(parentId);
    if (cause !== undefined && explains(cause)) topmost = cause;
    parentId = placeOf(parentId)?.parentId ?? null;
  }
  return topmost;
};

const lostSource = (
  finding: Foldable,
  causes: Causes,
  { placeOf }: FoldInput,
  explains: (cause: Foldable) => boolean,
): Foldable | null => {
  const place = placeOf(finding.resourceId);
  if (place === undefined || place.isSource !== null || place.sourceIds.length === 0) return null;
  const lost = place.sourceIds.map((id) => causes.bySource.get(id));
  const [first] = lost;
  return first !== undefined && lost.every((cause) => cause !== undefined) && explains(first) ? first : null;
};

/** Which of these stand under which cause, for showing them. */
export const foldedUnder = <F extends Pick<Finding, 'foldedUnder'>>(
  findings: readonly F[],
): ReadonlyMap<FindingId, readonly F[]> => {
  const groups = new Map<FindingId, F[]>();
  for (const finding of findings) {
    if (finding.foldedUnder === null) continue;
    const group = groups.get(finding.foldedUnder);
    if (group === undefined) groups.set(finding.foldedUnder, [finding]);
    else group.push(finding);
  }
  return groups;
};
