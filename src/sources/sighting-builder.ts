/** Gathers what areas find into one sighting, and says why whatever was promised and not delivered is missing. */
import { claimDefaults, type ResourceClaim } from '../../signals/claim.ts';
import type { ReadingBody, ReadingKind } from '../../signals/reading.ts';
import type { Facts, ResourceKind } from '../../signals/resource.ts';
import type { CompleteList, Gap, Series, SurveyedReading } from '../../signals/survey.ts';
import type { Sighting } from './source.ts';

export type ClaimInput = Pick<ResourceClaim, 'ref' | 'kind' | 'name' | 'keys'> &
  Partial<Omit<ResourceClaim, 'refersTo'>>;

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

/** Kept small, since there are tens of thousands: a thing has a handful of reading kinds. */
interface Draft {
  readonly input: ClaimInput;
  readonly expects: ReadingKind[];
  readonly seen: ReadingKind[];
  facts: Facts;
}

const addTo = (kinds: ReadingKind[], kind: ReadingKind): void => {
  if (!kinds.includes(kind)) kinds.push(kind);
};

const toClaim = ({ input, expects, facts }: Draft): ResourceClaim => ({
  ref: input.ref,
  kind: input.kind,
  name: input.name,
  parentRef: input.parentRef ?? claimDefaults.parentRef,
  keys: input.keys,
  slug: input.slug ?? claimDefaults.slug,
  refersTo: claimDefaults.refersTo,
  answersTo: input.answersTo ?? claimDefaults.answersTo,
  attachesTo: input.attachesTo ?? claimDefaults.attachesTo,
  status: input.status ?? claimDefaults.status,
  tags: input.tags ?? claimDefaults.tags,
  expects,
  facts,
});

const explains = (gap: Gap, ref: string, kind: ReadingKind): boolean =>
  (gap.ref === null || gap.ref === ref) && (gap.reads.length === 0 || gap.reads.includes(kind));

/** Sources answer in no order; ids that are minted from equal names must not depend on that. */
const byRef = (a: ResourceClaim, b: ResourceClaim): number => {
  const [hostA, hostB] = [a.kind === 'host', b.kind === 'host'];
  if (hostA !== hostB) return hostA ? -1 : 1;
  return a.ref < b.ref ? -1 : 1;
};

/** `who` names the source in the reason for what is missing without one. */
export const createSightingBuilder = (who: string): SightingBuilder => {
  const drafts = new Map<string, Draft>();
  const readings: SurveyedReading[] = [];
  const series: Series[] = [];
  const gaps: Gap[] = [];
  const listed: CompleteList[] = [];
  const unexplained = (): readonly Gap[] => {
    const general = gaps.filter(({ ref }) => ref === null);
    const own = Map.groupBy(gaps, ({ ref }) => ref);
    const missing: Gap[] = [];
    for (const { input, expects, seen } of drafts.values()) {
      if (expects.every((kind) => seen.includes(kind))) continue;
      const { ref, name } = input;
      const known = [...general, ...(own.get(ref) ?? [])];
      const reads = expects.filter((kind) => !seen.includes(kind) && !known.some((gap) => explains(gap, ref, kind)));
      const reason = `${who} has no usable ${reads.join(', ')} of ${name}`;
      if (reads.length > 0) missing.push({ ref, reads, code: 'empty', reason });
    }
    return missing;
  };
  return {
    claim: (input) => {
      const known = drafts.get(input.ref);
      if (known === undefined) {
        drafts.set(input.ref, { input, expects: [...(input.expects ?? [])], seen: [], facts: input.facts ?? {} });
        return;
      }
      known.facts = { ...input.facts, ...known.facts };
      for (const kind of input.expects ?? []) addTo(known.expects, kind);
    },
    has: (ref) => drafts.has(ref),
    facts: (ref, facts) => {
      const draft = drafts.get(ref);
      if (draft !== undefined) draft.facts = { ...draft.facts, ...facts };
    },
    expect: (ref, kind) => {
      const draft = drafts.get(ref);
      if (draft !== undefined) addTo(draft.expects, kind);
    },
    read: (ref, body, takenAtMs) => {
      const draft = drafts.get(ref);
      if (draft === undefined) return;
      addTo(draft.expects, body.kind);
      addTo(draft.seen, body.kind);
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
      claims: [...drafts.values()].map(toClaim).sort(byRef),
      readings,
      series,
      gaps: [...gaps.filter(({ ref }) => ref === null || drafts.has(ref)), ...unexplained()],
      listed,
    }),
  };
};
