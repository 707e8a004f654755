/** A systemd unit that is restarted again and again. */
import { clear, type DetectorInput, defineDetector, type Judgement, unobserved } from '../detector.ts';
import { forText } from '../for-text.ts';
import { formatDuration, formatOrigin } from '../format.ts';
import { metrics } from '../history.ts';
import { boundAt, severityAt } from '../hysteresis.ts';
import { confirming, lasting } from '../lasting.ts';
import { clearsText, levelOf } from '../level.ts';
import { newest } from '../newest.ts';
import type { ReadingOf } from '../reading.ts';
import { type Count, knownCounts, restartsWithin } from '../restarts.ts';
import { stateLimit } from '../state-limit.ts';

const KINDS = ['service'] as const;

const WINDOW_MS = 5 * 60_000;

/** How far back the beginning is looked for, in windows. */
const MAX_WINDOWS = 12;

type Input = DetectorInput<'unit', 'restarts' | 'restarting'>;

/** The start of the unbroken row of windows, up to now, that each held as many restarts. */
const busySinceMs = (counts: readonly Count[], atLeast: number, nowMs: number): number => {
  for (let windows = 1; windows < MAX_WINDOWS; windows += 1) {
    const untilMs = nowMs - windows * WINDOW_MS;
    const restarts = restartsWithin(counts, WINDOW_MS, untilMs);
    if (restarts === null || restarts < atLeast) return untilMs;
  }
  return nowMs - MAX_WINDOWS * WINDOW_MS;
};

/** Restarts of the last five minutes; null: the first look, or the source does not count. */
const restartsNow = (reading: ReadingOf<'unit'>, counts: readonly Count[], nowMs: number): number | null => {
  const { activeState, stateSinceMs } = reading;
  // What has run for longer was not restarted, whatever the counter did before.
  if (activeState === 'active' && stateSinceMs !== null && nowMs - stateSinceMs > WINDOW_MS) return 0;
  return restartsWithin(counts, WINDOW_MS, reading.takenAtMs);
};

const judge = (input: Input, reading: ReadingOf<'unit'>, count: number): Judgement => {
  const { limits, history, before, lastSurveyAtMs, nowMs } = input;
  const { restarts: limit, restarting } = limits;
  const known = before(null);
  const samples = history.samples(metrics.unitRestarts);
  const counts = knownCounts({
    count,
    takenAtMs: reading.takenAtMs,
    samples,
    lastLookAtMs: lastSurveyAtMs,
    bornAtMs: null,
  });
  const now = restartsNow(reading, counts, nowMs);
  if (now === null && known === null) return clear();
  if (now === null) return unobserved('warming_up', 'its restarts are counted from this look on');
  const severity = severityAt(limit, now, known);
  const bound = severity === null ? null : boundAt(limit, severity);
  if (severity === null || bound === null) return clear();
  const knownSinceMs = busySinceMs(counts, bound.trigger, nowMs);
  const streak = lasting({ nowMs, before: known, knownSinceMs, forMs: restarting.forMs });
  const what = `restarted ${now} times in ${formatDuration(WINDOW_MS)}`;
  if (!streak.counts) return confirming(what, streak, nowMs);
  return {
    state: 'raised',
    subject: null,
    severity,
    level: levelOf(limit, bound, now),
    summary: `${what}, limit ${bound.trigger} (${formatOrigin(bound.origin)}); for ${formatDuration(nowMs - streak.bad.sinceMs)}, ${forText(restarting)}`,
    clearsWhen: clearsText(limit, bound, `the count of restarts in ${formatDuration(WINDOW_MS)}`),
    evidence: [reading.id],
    bad: streak.bad,
  };
};

/** A source that tells restarts only while there are some has told none for so long. */
const UNCOUNTED_MS = 60 * 60_000;

/** Where a source does not count there is nothing to judge; what it raised is over when the unit has run well for long. */
const uncounted = ({ before, nowMs }: Input, { activeState }: ReadingOf<'unit'>): Judgement | readonly Judgement[] => {
  const known = before(null);
  if (known === null) return [];
  const isOver = activeState === 'active' && nowMs - (known.bad?.lastAtMs ?? known.seenAtMs) >= UNCOUNTED_MS;
  return isOver ? clear() : unobserved('not_supported', 'the source does not tell its restarts now');
};

export const serviceRestarting = defineDetector({
  type: 'service_restarting',
  title: 'Service keeps restarting',
  category: 'reliability',
  kinds: KINDS,
  reads: ['unit'],
  sources: 'each',
  limits: {
    restarts: {
      metric: 'restarts',
      kinds: KINDS,
      unit: 'count',
      direction: 'above',
      warning: 3,
      critical: null,
      clearBy: 2,
      forMs: 0,
      because: "more than two in five minutes, as node_exporter's own alert has it; one may be an upgrade",
    },
    restarting: stateLimit({
      metric: 'restarting',
      kinds: KINDS,
      forMs: 15 * 60_000,
      because: "as long as node_exporter's own alert waits: something it depends on may be on its way up",
    }),
  },
  explain:
    'Automatic restarts by systemd in the last five minutes, as its own counter tells, three or more of them without a pause for a quarter of an hour. The counter says nothing by itself: it is compared with what it showed before, a counter that fell was reset, and the first look is the baseline. A unit that systemd has given up on is a failed one, and judged as that.',
  detect: (input: Input): Judgement | readonly Judgement[] => {
    const reading = newest(input.readings);
    if (reading === undefined) return unobserved('no_reading', 'no unit state');
    if (reading.activeState === 'failed') return clear();
    if (reading.restartCount !== null) return judge(input, reading, reading.restartCount);
    return uncounted(input, reading);
  },
});
