/** The deterministic narrowing of the surface before a model looks: which resources look interesting, and why. Pure. */
import { severityRank } from '../../../signals/detector.ts';
import type { Evaluation } from '../../../signals/evaluate.ts';
import type { Resource, ResourceId, ResourceKind } from '../../../signals/resource.ts';

export interface Flag {
  readonly resource: Resource;
  /** Figures and states, most telling first. */
  readonly reasons: readonly string[];
  /** Higher is told first. */
  readonly weight: number;
}

export interface Triage {
  /** Most telling first. */
  readonly flags: readonly Flag[];
  /** Everything else, counted by kind. */
  readonly quiet: ReadonlyMap<ResourceKind, number>;
}

export interface TriageInput {
  readonly resources: readonly Resource[];
  /** By limits slightly before those that raise (`easedLimits`). */
  readonly evaluation: Evaluation;
  /** Not there at the run before. */
  readonly isNew: (id: ResourceId) => boolean;
}

const REASONS_SHOWN = 3;

const STATUS_WEIGHT: Readonly<Partial<Record<Resource['status'], number>>> = { failed: 30, degraded: 20 };
const CONFIRMING_WEIGHT = 5;
const NEW_WEIGHT = 1;

interface Mark {
  readonly text: string;
  readonly weight: number;
}

/** What a verdict says of the thing itself: how the limit reads is the detectors' business, and comes later. */
const withoutLimit = (summary: string): string => summary.replace(/, limit [^;]*/g, '');

const marksOf = (evaluation: Evaluation): ReadonlyMap<ResourceId, readonly Mark[]> => {
  const marks = new Map<ResourceId, Mark[]>();
  const add = (id: ResourceId, mark: Mark): void => {
    const own = marks.get(id);
    if (own === undefined) marks.set(id, [mark]);
    else own.push(mark);
  };
  for (const verdict of evaluation.verdicts) {
    if (verdict.state === 'raised') {
      const { summary, severity } = verdict.signal;
      add(verdict.resourceId, { text: withoutLimit(summary), weight: 10 * (1 + severityRank(severity)) });
    } else if (verdict.state === 'unobserved' && verdict.code === 'confirming') {
      add(verdict.resourceId, { text: verdict.reason, weight: CONFIRMING_WEIGHT });
    }
  }
  return marks;
};

export const triage = ({ resources, evaluation, isNew }: TriageInput): Triage => {
  const marks = marksOf(evaluation);
  const flags: Flag[] = [];
  const quiet = new Map<ResourceKind, number>();
  for (const resource of resources) {
    const { id, kind, status } = resource;
    const statusWeight = STATUS_WEIGHT[status];
    const own: readonly Mark[] = [
      ...(marks.get(id) ?? []),
      ...(statusWeight === undefined ? [] : [{ text: `it is ${status}`, weight: statusWeight }]),
      ...(isNew(id) ? [{ text: 'it was not there before', weight: NEW_WEIGHT }] : []),
    ].toSorted((a, b) => b.weight - a.weight);
    const [first] = own;
    if (first === undefined) {
      quiet.set(kind, (quiet.get(kind) ?? 0) + 1);
      continue;
    }
    flags.push({ resource, reasons: own.slice(0, REASONS_SHOWN).map(({ text }) => text), weight: first.weight });
  }
  return {
    flags: flags.toSorted((a, b) => b.weight - a.weight || (a.resource.id < b.resource.id ? -1 : 1)),
    quiet,
  };
};
