/** What one collector contributes to a survey of the host, and how contributions become one sighting. */
import type { ResourceClaim } from '../../../signals/claim.ts';
import type { ReadingKind } from '../../../signals/reading.ts';
import type { Facts } from '../../../signals/resource.ts';
import type { CompleteList, Gap, SurveyedReading } from '../../../signals/survey.ts';
import type { Sighting } from '../source.ts';

/** What a collector knows about a thing that another one claims. */
export interface Addition {
  readonly ref: string;
  readonly expects: readonly ReadingKind[];
  readonly facts: Facts;
}

export interface Part {
  readonly claims: readonly ResourceClaim[];
  readonly additions: readonly Addition[];
  readonly readings: readonly SurveyedReading[];
  readonly gaps: readonly Gap[];
  readonly listed: readonly CompleteList[];
}

export const NOTHING: Part = { claims: [], additions: [], readings: [], gaps: [], listed: [] };

export const part = (contents: Partial<Part>): Part => ({ ...NOTHING, ...contents });

export const joinParts = (parts: readonly Part[]): Part => ({
  claims: parts.flatMap(({ claims }) => claims),
  additions: parts.flatMap(({ additions }) => additions),
  readings: parts.flatMap(({ readings }) => readings),
  gaps: parts.flatMap(({ gaps }) => gaps),
  listed: parts.flatMap(({ listed }) => listed),
});

/** Additions go into the claims they are about; what nobody claimed is dropped with its additions, readings and gaps. */
export const toSighting = (parts: readonly Part[]): Sighting => {
  const { claims, additions, readings, gaps, listed } = joinParts(parts);
  const refs = new Set(claims.map(({ ref }) => ref));
  const byRef = Map.groupBy(additions, ({ ref }) => ref);
  return {
    claims: claims.map((claim) => withAdditions(claim, byRef.get(claim.ref) ?? [])),
    readings: readings.filter(({ ref }) => refs.has(ref)),
    series: [],
    gaps: gaps.filter(({ ref }) => ref === null || refs.has(ref)),
    listed,
  };
};

const withAdditions = (claim: ResourceClaim, additions: readonly Addition[]): ResourceClaim => {
  if (additions.length === 0) return claim;
  return {
    ...claim,
    expects: [...new Set([...claim.expects, ...additions.flatMap(({ expects }) => expects)])],
    facts: Object.assign({}, claim.facts, ...additions.map(({ facts }) => facts)),
  };
};
