/** Limits of one survey of one Prometheus. Hitting one is a gap. */

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

export const prometheusLimits = {
  /** Of one answer: 100,000 series with long label sets are about 40 MB. */
  answerBytes: 128 * 1024 * 1024,
  /** Series in one answer; more are not looked at. */
  series: 500_000,
  /** Questions asked at the same time: Prometheus runs at most 20 for everybody (`--query.max-concurrency`). */
  questionsAtOnce: 4,
  questionMs: 25_000,
  /** Questions in a row that brought no answer at all; then the rest is not asked. */
  brokenInARow: 2,
  /** Our clock and Prometheus' own may differ by so much; by more it is a fault that is reported. */
  clockDifferenceMs: MINUTE_MS,
  reasonLength: 400,
  nameLength: 200,
  /** Hosts whose target is down and that are therefore remembered in the source's state. */
  rememberedHosts: 2_000,
  /** Units that were bad lately, and filesystems that turned read-only, likewise. */
  rememberedUnits: 500,
  rememberedFilesystems: 2_000,
  /** A unit that has recovered is looked at for as long, so that its finding clears. */
  unitMemoryMs: 24 * HOUR_MS,
  units: 2_000,
  /** How far back the last words of a target that is down are looked for. */
  lastWordsMs: 6 * HOUR_MS,
  /** Pasts are asked for again after this long; in between they are repeated. */
  pastPaceMs: HOUR_MS,
  targetTags: 8,
} as const;
