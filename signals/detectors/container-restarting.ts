/** A container that ends and is restarted again and again. */
import {
  type BadStreak,
  clear,
  type DetectorInput,
  defineDetector,
  type Judgement,
  unobserved,
  type VerdictMemory,
} from '../detector.ts';
import { formatDuration, formatOrigin } from '../format.ts';
import { metrics } from '../history.ts';
import { type LevelSeverity, severityAt } from '../hysteresis.ts';
import { confirming, lasting } from '../lasting.ts';
import { newest } from '../newest.ts';
import type { ReadingOf } from '../reading.ts';
import { type Count, knownCounts, restartingSinceMs, restartsWithin } from '../restarts.ts';
import { stateLimit } from '../state-limit.ts';

const KINDS = ['container'] as const;

const MINUTE_MS = 60_000;
const WINDOW_MS = 10 * MINUTE_MS;

/** Docker waits up to a minute between two restarts; half an hour without one is the end of a loop. */
const QUIET_MS = 30 * MINUTE_MS;

type Input = DetectorInput<'container', 'restarts' | 'restartLoop'>;
type Container = ReadingOf<'container'>;

/** What is known of the loop, if it is one. */
interface Loop {
  /** In the last ten minutes. */
  readonly restarts: number;
  readonly sinceMs: number;
  /** For how long it has not been restarted. */
  readonly quietMs: number;
}

const quietFor = ({ state, startedAtMs, finishedAtMs, createdAtMs }: Container, nowMs: number): number => {
  if (state === 'restarting') return 0;
  const isUp = state === 'running' || state === 'paused';
  return Math.max(0, nowMs - ((isUp ? startedAtMs : finishedAtMs) ?? createdAtMs));
};

/** The counter belongs to this very container: one that was made anew begins at 0. */
const countsOf = ({ history, lastSurveyAtMs }: Input, reading: Container): readonly Count[] =>
  knownCounts({
    count: reading.restartCount,
    takenAtMs: reading.takenAtMs,
    samples: history.samples(metrics.containerRestarts(reading.instanceId)),
    lastLookAtMs: lastSurveyAtMs,
    bornAtMs: reading.createdAtMs,
  });

const loopOf = (input: Input, reading: Container): Loop => {
  const quietMs = quietFor(reading, input.nowMs);
  const counts = countsOf(input, reading);
  // What has run for longer was not restarted, whatever the counter did before.
  const restarts = quietMs > WINDOW_MS ? 0 : (restartsWithin(counts, WINDOW_MS, reading.takenAtMs) ?? 0);
  const sinceMs = Math.min(restartingSinceMs(counts, QUIET_MS) ?? input.nowMs, input.nowMs);
  return { restarts, sinceMs, quietMs };
};

const timesText = (restarts: number): string => (restarts === 1 ? 'once' : `${restarts} times`);

/** An engine that is waiting to restart what it has restarted before: seen twice, that is a loop of its own. */
const isWaiting = ({ limits }: Input, { state, restartCount }: Container): boolean =>
  state === 'restarting' && limits.restarts.warning !== null && restartCount >= limits.restarts.warning.trigger;

const raised = (
  input: Input,
  reading: Container,
  loop: Loop,
  known: VerdictMemory | null,
  bad: BadStreak,
): Judgement => {
  const { limits, nowMs } = input;
  const { restarts: limit, restartLoop } = limits;
  const reached = severityAt(limit, loop.restarts, null);
  const isLooping = reached !== null || isWaiting(input, reading);
  const sinceMs = Math.min(loop.sinceMs, bad.sinceMs, known?.severity == null ? nowMs : known.sinceMs);
  const isLong = isLooping && restartLoop.off === null && nowMs - sinceMs >= restartLoop.forMs;
  const severity: LevelSeverity =
    isLong || reached === 'critical' || known?.severity === 'critical' ? 'critical' : 'warning';
  const bound = limit.warning ?? limit.critical;
  const limitText = bound === null ? '' : `, limit ${bound.trigger} (${formatOrigin(bound.origin)})`;
  const summary = isLooping
    ? `restarted ${timesText(loop.restarts)} in ${formatDuration(WINDOW_MS)}${limitText}; ${reading.restartCount} times in all, the loop has lasted ${formatDuration(nowMs - sinceMs)}`
    : `has been quiet for ${formatDuration(loop.quietMs)} after a restart loop${limitText} in ${formatDuration(WINDOW_MS)}`;
  return {
    state: 'raised',
    subject: null,
    severity,
    level: { value: loop.restarts, limit: bound, unit: 'count' },
    summary,
    clearsWhen: `it was not restarted for ${formatDuration(QUIET_MS)}`,
    evidence: [reading.id],
    sinceMs,
    bad: { ...bad, sinceMs },
    details: {
      restartCount: reading.restartCount,
      ...(reading.exitCode === null ? {} : { exitCode: reading.exitCode }),
    },
  };
};

export const containerRestarting = defineDetector({
  type: 'container_restarting',
  title: 'Container keeps restarting',
  category: 'reliability',
  kinds: KINDS,
  reads: ['container'],
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
      because: 'three in ten minutes: one or two are what waits for a database, or an update',
    },
    restartLoop: stateLimit({
      metric: 'restartLoop',
      kinds: KINDS,
      forMs: 30 * MINUTE_MS,
      because: 'a loop of half an hour does not end by itself: it is critical then',
    }),
  },
  explain:
    "Restarts by the engine's restart policy of one and the same container, three in ten minutes, by the change of its restart counter; a container that was made anew is another one and has not crashed. At the first look, a counter that has grown as fast since the container was made, or a container that is found waiting for its next restart in two looks, counts as a loop too. Once raised it clears after half an hour without a restart, so that a slow loop does not come and go.",
  detect: (input: Input): Judgement => {
    const { readings, limits, before, nowMs } = input;
    const reading = newest(readings);
    if (reading === undefined) return unobserved('no_reading', 'no container state');
    const known = before(null);
    const loop = loopOf(input, reading);
    const isFast = severityAt(limits.restarts, loop.restarts, null) !== null;
    const isRaised = known !== null && known.severity !== null;
    if (!isFast && !isWaiting(input, reading)) {
      if (!isRaised || loop.quietMs >= QUIET_MS) return clear();
      return raised(input, reading, loop, known, known.bad ?? { sinceMs: known.sinceMs, lastAtMs: nowMs, looks: 1 });
    }
    const streak = lasting({ nowMs, before: known, looks: isFast ? 1 : 2 });
    if (!streak.counts)
      return confirming(`restarted ${reading.restartCount} times, and waits for the next`, streak, nowMs);
    return raised(input, reading, loop, known, streak.bad);
  },
});
