/**
 * What a model claims, held against what the detectors say of the same resource on the same evidence. Pure. The data has
 * the last word: what a detector finds clear is refused, what it raised becomes that finding, and the rest is the model's.
 */
import { storedKeyOf } from '../../../findings/identity.ts';
import {
  type AnyDetector,
  isWorse,
  type Severity,
  type Signal,
  severityRank,
  type UnobservedCode,
  type Verdict,
} from '../../../signals/detector.ts';
import type { Skip } from '../../../signals/evaluate.ts';
import { type Citable, isLook } from '../evidence-book.ts';
import { likenessTo, SPEAKS_OF, wordsOf } from './wording.ts';

export interface Claim {
  readonly key: string;
  readonly title: string;
  readonly summary: string;
  readonly severity: Severity;
  /** The detector that it is about for sure: the key's owner, the one that was named, the one that rules the known finding. */
  readonly about: string | null;
  readonly evidence: readonly Citable[];
}

export interface Judgements {
  readonly detectors: readonly AnyDetector[];
  readonly verdicts: readonly Verdict[];
  readonly skipped: readonly Skip[];
}

export type Weighed =
  /** A detector raised it: the claim is about that very problem. */
  | { readonly kind: 'raised'; readonly signal: Signal }
  | { readonly kind: 'contradicted'; readonly detectors: readonly string[] }
  /** The same readings have not lasted long enough to prove anything; their detector looks again by itself. */
  | { readonly kind: 'premature'; readonly detector: string; readonly reason: string }
  /** A detector judges this, and could not: its next verdict will rule the finding. */
  | { readonly kind: 'unobserved'; readonly detector: string; readonly subject: string | null }
  /** The detector that it is about does not judge this resource. */
  | { readonly kind: 'not_judged'; readonly detector: string; readonly reason: string }
  | { readonly kind: 'own' };

type Blind = Extract<Verdict, { readonly state: 'unobserved' }>;

export const weighClaim = (claim: Claim, judgements: Judgements): Weighed => {
  if (claim.about !== null) return weighAbout(claim, claim.about, judgements);
  const judging = judgingDetectors(judgements);
  return weighByWords(claim, judging, judgements) ?? weighByEvidence(claim, judging, judgements);
};

const weighAbout = (claim: Claim, type: string, judgements: Judgements): Weighed => {
  const own = judgements.detectors.filter((detector) => detector.type === type);
  const weighed = settle(claim, own, judgements);
  if (weighed !== null) return weighed;
  const skip = judgements.skipped.find(({ detector, code }) => detector === type && code !== 'not_due');
  return { kind: 'not_judged', detector: type, reason: skip?.reason ?? 'it judges no such thing, or nothing was read' };
};

const judgingDetectors = ({ detectors, verdicts }: Judgements): readonly AnyDetector[] => {
  const types = new Set(verdicts.map(({ detector }) => detector));
  return detectors.filter(({ type }) => types.has(type));
};

/** Null: its words are those of no detector. What one of them raised is meant before what another one has cleared. */
const weighByWords = (claim: Claim, judging: readonly AnyDetector[], judgements: Judgements): Weighed | null => {
  const words = wordsOf(claim.key, claim.title);
  const spoken = judging
    .map((detector) => ({ detector, likeness: likenessTo(detector, words) }))
    .filter(({ likeness }) => likeness >= SPEAKS_OF);
  const all = settle(
    claim,
    spoken.map(({ detector }) => detector),
    judgements,
  );
  if (all === null || all.kind === 'raised') return all;
  const most = Math.max(...spoken.map(({ likeness }) => likeness));
  const nearest = spoken.filter(({ likeness }) => likeness === most).map(({ detector }) => detector);
  return settle(claim, nearest, judgements);
};

/** Null: none of these detectors said anything. */
const settle = (claim: Claim, detectors: readonly AnyDetector[], { verdicts }: Judgements): Weighed | null => {
  const said = saidBy(claim, detectors, verdicts);
  const signal = bestSignal(claim, said);
  if (signal !== null) return { kind: 'raised', signal };
  const blind = said.find((verdict) => verdict.state === 'unobserved');
  const clear = said.filter(({ state }) => state === 'clear');
  const weighed = blind === undefined ? null : weighBlind(claim, blind);
  if (weighed !== null && (weighed.kind === 'unobserved' || clear.length === 0)) return weighed;
  return clear.length === 0 ? null : contradictedBy(clear);
};

const contradictedBy = (said: readonly Verdict[]): Weighed => ({
  kind: 'contradicted',
  detectors: [...new Set(said.map(({ detector }) => detector))],
});

const saidBy = (claim: Claim, detectors: readonly AnyDetector[], verdicts: readonly Verdict[]): readonly Verdict[] => {
  const types = new Set(detectors.map(({ type }) => type));
  return aboutNamed(
    claim,
    verdicts.filter(({ detector }) => types.has(detector)),
  );
};

/** A claim that names some of several subjects is about those: the job, the mount, the target. */
const aboutNamed = (claim: Claim, said: readonly Verdict[]): readonly Verdict[] => {
  const exact = said.filter(
    ({ detector, subject }) => subject !== null && storedKeyOf(detector, subject) === claim.key,
  );
  if (exact.length > 0) return exact;
  const text = `${claim.key} ${claim.title} ${claim.summary}`.toLowerCase();
  const named = said.filter(({ subject }) => subject !== null && text.includes(subject.toLowerCase()));
  return named.length > 0 ? named : said;
};

/** Pass by themselves: the window fills, the second look comes. */
const PASSING: ReadonlySet<UnobservedCode> = new Set(['warming_up', 'confirming']);

/** Whoever has looked beyond the readings, into a log or the past, may know more than the detectors do. */
const restsOnReadings = ({ evidence }: Claim): boolean => !evidence.some(({ kind }) => isLook(kind));

const weighBlind = (claim: Claim, { detector, subject, code, reason }: Blind): Weighed =>
  PASSING.has(code) && restsOnReadings(claim)
    ? { kind: 'premature', detector, reason }
    : { kind: 'unobserved', detector, subject };

/**
 * By the detectors that judge the very readings which the claim stands on. They contradict no remark, only a problem, and
 * only where it rests on readings alone.
 */
const weighByEvidence = (claim: Claim, judging: readonly AnyDetector[], { verdicts }: Judgements): Weighed => {
  const kinds = new Set(claim.evidence.map(({ kind }) => kind));
  const readers = judging.filter(({ reads }) => reads.some((kind) => kinds.has(kind)));
  const said = saidBy(claim, readers, verdicts);
  const signal = bestSignal(claim, said);
  if (signal !== null && standsOn(signal, claim)) return { kind: 'raised', signal };
  if (!isWorse(claim.severity, 'watch') || !restsOnReadings(claim)) return { kind: 'own' };
  const clear = said.filter(({ state }) => state === 'clear');
  if (clear.length > 0) return contradictedBy(clear);
  const passing = said.find((verdict): verdict is Blind => verdict.state === 'unobserved' && PASSING.has(verdict.code));
  return passing === undefined
    ? { kind: 'own' }
    : { kind: 'premature', detector: passing.detector, reason: passing.reason };
};

const standsOn = ({ evidence }: Signal, claim: Claim): boolean =>
  claim.evidence.some(({ id }) => evidence.includes(id));

/** By shared evidence, then by severity. */
const bestSignal = (claim: Claim, said: readonly Verdict[]): Signal | null => {
  const scoreOf = (signal: Signal): number => (standsOn(signal, claim) ? 10 : 0) + severityRank(signal.severity);
  const raised = said.flatMap((verdict) => (verdict.state === 'raised' ? [verdict.signal] : []));
  return raised.toSorted((a, b) => scoreOf(b) - scoreOf(a) || (a.key < b.key ? -1 : 1))[0] ?? null;
};
