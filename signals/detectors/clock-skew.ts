/** A host whose clock is off, or runs free. */
import { clear, type DetectorInput, defineDetector, type Judgement, unobserved } from '../detector.ts';
import { formatDuration, formatValue } from '../format.ts';
import { metrics } from '../history.ts';
import { boundAt, type LevelSeverity, severityAt } from '../hysteresis.ts';
import { confirming, lasting } from '../lasting.ts';
import { clearsText, levelOf, limitText } from '../level.ts';
import type { Bound, EffectiveLimit } from '../limit.ts';
import { newest } from '../newest.ts';
import type { ReadingOf } from '../reading.ts';

const KINDS = ['host', 'node'] as const;

const SECOND_MS = 1_000;
const MINUTE_MS = 60_000;

/** Sources that tell time in steps of this much or more can't show small offsets. */
const WHOLE_SECONDS_MS = 1_000;

/** An offset that is smaller by this share than about five minutes ago is being corrected. */
const CONVERGES_BY = 0.1;
const CONVERGES_OVER_MS = { least: 4 * MINUTE_MS, most: 30 * MINUTE_MS } as const;

type Input = DetectorInput<'clock', 'offset' | 'coarseOffset' | 'unsynchronised'>;

/** What is wrong with the clock, and against which limit. */
interface Fault {
  readonly limit: EffectiveLimit;
  readonly bound: Bound;
  readonly severity: LevelSeverity;
  readonly value: number;
  readonly what: string;
  readonly clears: string;
  readonly looks: 1 | 2;
}

const isConverging = ({ history }: Input, { takenAtMs }: ReadingOf<'clock'>, offsetMs: number): boolean => {
  const earlier = history
    .samples(metrics.clockOffset)
    .findLast(({ atMs }) => takenAtMs - atMs >= CONVERGES_OVER_MS.least);
  if (earlier === undefined || takenAtMs - earlier.atMs > CONVERGES_OVER_MS.most) return false;
  return offsetMs <= Math.abs(earlier.value) * (1 - CONVERGES_BY);
};

const faultOf = (
  input: Input,
  limit: EffectiveLimit,
  value: number,
  rest: Pick<Fault, 'what' | 'clears' | 'looks'>,
): Fault | null => {
  const severity = severityAt(limit, value, input.before(null));
  const bound = severity === null ? null : boundAt(limit, severity);
  return severity === null || bound === null ? null : { limit, bound, severity, value, ...rest };
};

const offsetFault = (input: Input, reading: ReadingOf<'clock'>): Fault | null => {
  const { offsetMs, resolutionMs } = reading;
  if (offsetMs === null) return null;
  const coarse = resolutionMs >= WHOLE_SECONDS_MS;
  const value = Math.abs(offsetMs);
  const fault = faultOf(input, coarse ? input.limits.coarseOffset : input.limits.offset, value, {
    what: `the clock is off by ${formatValue(value, 'ms')}${coarse ? ', told in whole seconds' : ''}`,
    clears: 'the offset',
    looks: 2,
  });
  // What was raised holds until it is back below its limit: a clock that is corrected in fits would flap.
  const isNew = (input.before(null)?.severity ?? null) === null;
  return fault?.severity === 'warning' && isNew && !coarse && isConverging(input, reading, value) ? null : fault;
};

const freeFault = (input: Input, { synchronised, estimatedErrorMs }: ReadingOf<'clock'>): Fault | null => {
  if (synchronised !== false || estimatedErrorMs === null) return null;
  return faultOf(input, input.limits.unsynchronised, estimatedErrorMs / SECOND_MS, {
    what: `nothing corrects the clock, and it may be off by ${formatDuration(estimatedErrorMs)}`,
    clears: 'it is synchronised again, or the estimated error',
    looks: 1,
  });
};

const judge = (input: Input, reading: ReadingOf<'clock'>, fault: Fault): Judgement => {
  const { limit, bound, severity, value, what, clears, looks } = fault;
  const streak = lasting({ nowMs: input.nowMs, before: input.before(null), forMs: limit.forMs, looks });
  const sentence = `${what}, ${limitText(bound, limit.spec.unit)}`;
  if (!streak.counts) return confirming(sentence, streak, input.nowMs);
  return {
    state: 'raised',
    subject: null,
    severity,
    level: levelOf(limit, bound, value),
    summary: sentence,
    clearsWhen: clearsText(limit, bound, clears),
    evidence: [reading.id],
    bad: streak.bad,
  };
};

export const clockSkew = defineDetector({
  type: 'clock_skew',
  title: 'Clock is off',
  category: 'reliability',
  kinds: KINDS,
  reads: ['clock'],
  sources: 'each',
  limits: {
    offset: {
      metric: 'clockOffset',
      kinds: KINDS,
      unit: 'ms',
      direction: 'above',
      warning: 50,
      critical: 500,
      clearBy: 10,
      forMs: 0,
      because:
        "50 ms is the limit of node_exporter's own alert and of Ceph's monitors; half a second breaks clusters and logs",
    },
    coarseOffset: {
      metric: 'clockOffsetCoarse',
      kinds: KINDS,
      unit: 'ms',
      direction: 'above',
      warning: 3_000,
      critical: null,
      clearBy: 1_000,
      forMs: 0,
      because: 'where a source tells whole seconds only, less may be rounding and the time of the answer',
    },
    unsynchronised: {
      metric: 'clockUnsynchronised',
      kinds: KINDS,
      unit: 'seconds',
      direction: 'above',
      warning: 16,
      critical: null,
      clearBy: 1,
      forMs: 10 * MINUTE_MS,
      because: 'the estimated error at which the kernel itself calls its clock unsynchronised (NTP_PHASE_LIMIT, 16 s)',
    },
  },
  explain:
    'An offset above the limit in two looks, and (for a warning) not smaller by a tenth than a few minutes before: a clock that is being slewed back is left alone. Or a clock that nothing corrects, for ten minutes, whose estimated error is at the limit of the kernel. A kernel that says it is synchronised is believed where no offset is told.',
  detect: (input: Input): Judgement => {
    const reading = newest(input.readings);
    if (reading === undefined) return unobserved('no_reading', 'no clock reading');
    const offset = offsetFault(input, reading);
    const fault = offset?.severity === 'critical' ? offset : (freeFault(input, reading) ?? offset);
    if (fault !== null) return judge(input, reading, fault);
    const { synchronised, offsetMs, estimatedErrorMs } = reading;
    if (offsetMs === null && (synchronised === null || (synchronised === false && estimatedErrorMs === null))) {
      return unobserved('not_supported', 'the source tells neither an offset nor whether the clock is synchronised');
    }
    return clear();
  },
});
