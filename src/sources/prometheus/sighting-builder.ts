/** Gathers what areas find into one sighting, and says why whatever was promised and not delivered is missing. */
import { claimDefaults, type ResourceClaim } from '../../../signals/claim.ts';
import type { ReadingBody, ReadingKind } from '../../../signals/reading.ts';
import type { Facts, ResourceKind } from '../../../signals/resource.ts';
import type { CompleteList, Gap, Series, SurveyedReading } from '../../../signals/survey.ts';
import type { Sighting } from '../source.ts';

export type ClaimInput = Pick<ResourceClaim, 'ref' | 'kind' | 'name' | 'keys'> & Partial<ResourceClaim>;

export interface SightingBuilder {
  /** The first claim of a ref counts; later ones only add facts. */
  claim(claim: ClaimInput): void;
  has(ref: string): boolean;
  facts(ref: string, facts: Facts): void;
  expect(ref: string, kind: ReadingKind): void;
  read(ref: string, body: ReadingBody, takenAtMs: number): void;
  series(series: Series): void;
  gap(gap: Gap): void;
  list(kind: ResourceKind, parentRef: string | null): void;
  build(): Sighting;
}

interface Draft {
  readonly claim: ResourceClaim;
  readonly expects: Set<ReadingKind>;
  readonly seen: Set<ReadingKind>;
  facts: Facts;
}

const explains = (gap: Gap, ref: string, kind: ReadingKind): boolean =>
  (gap.ref === null || gap.ref === ref) && (gap.reads.length === 0 || gap.reads.includes(kind));

/** Prometheus answers in no order; ids that are minted from equal names must not depend on that. */
const byRef = (a: ResourceClaim, b: ResourceClaim): number => {
  const [hostA, hostB] = [a.kind === 'host', b.kind === 'host'];
  if (hostA !== hostB) return hostA ? -1 : 1;
  return a.ref < b.ref ? -1 : 1;
};

export const createSightingBuilder = (): SightingBuilder => {
  const drafts = new Map<string, Draft>();
  const readings: SurveyedReading[] = [];
  const series: Series[] = [];
  const gaps: Gap[] = [];
  const listed: CompleteList[] = [];
  const unexplained = (): readonly Gap[] => {
    const general = gaps.filter(({ ref }) => ref === null);
    const own = Map.groupBy(gaps, ({ ref }) => ref);
    return [...drafts.values()].flatMap(({ claim: { ref, name }, expects, seen }) => {
      const reads = [...expects].filter(
        (kind) => !seen.has(kind) && ![...general, ...(own.get(ref) ?? [])].some((gap) => explains(gap, ref, kind)),
      );
      const reason = `Prometheus has no usable ${reads.join(', ')} of ${name}`;
      return reads.length === 0 ? [] : [{ ref, reads, code: 'empty' as const, reason }];
    });
  };
  return {
    claim: (input) => {
      const known = drafts.get(input.ref);
      const { expects = [], facts = {}, ...rest } = input;
      if (known !== undefined) {
        known.facts = { ...facts, ...known.facts };
        for (const kind of expects) known.expects.add(kind);
        return;
      }
      drafts.set(input.ref, {
        claim: { ...claimDefaults, ...rest },
        expects: new Set(expects),
        seen: new Set(),
        facts,
      });
    },
    has: (ref) => drafts.has(ref),
    facts: (ref, facts) => {
      const draft = drafts.get(ref);
      if (draft !== undefined) draft.facts = { ...draft.facts, ...facts };
    },
    expect: (ref, kind) => {
      drafts.get(ref)?.expects.add(kind);
    },
    read: (ref, body, takenAtMs) => {
      const draft = drafts.get(ref);
      if (draft === undefined) return;
      draft.expects.add(body.kind);
      draft.seen.add(body.kind);
      readings.push({ ...body, ref, takenAtMs });
    },
    series: (one) => {
      if (one.samples.length > 0 && drafts.has(one.ref)) series.push(one);
    },
    gap: (gap) => {
      gaps.push(gap);
    },
    list: (kind, parentRef) => {
      listed.push({ kind, parentRef });
    },
    build: () => ({
      claims: [...drafts.values()]
        .map(({ claim, expects, facts }) => ({ ...claim, expects: [...expects], facts }))
        .sort(byRef),
      readings,
      series,
      gaps: [...gaps.filter(({ ref }) => ref === null || drafts.has(ref)), ...unexplained()],
      listed,
    }),
  };
};
