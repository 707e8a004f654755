/** A guest that should run, and does not. */
import { type BadStreak, clear, type DetectorInput, defineDetector, type Judgement, unobserved } from '../detector.ts';
import { forText } from '../for-text.ts';
import { formatDuration } from '../format.ts';
import { metrics } from '../history.ts';
import { confirming, lasting } from '../lasting.ts';
import { newest } from '../newest.ts';
import type { GuestStateReading } from '../reading.ts';
import { stateLimit } from '../state-limit.ts';

const KINDS = ['vm', 'container'] as const;

/** Guests are started one after the other, with delays between them. */
const STARTED_WITHIN_MS = 10 * 60_000;

/** Clocks of a cluster and ours differ by less than this, or there is another finding. */
const CLOCKS_DIFFER_MS = 60_000;

type Input = DetectorInput<'guest_state', 'down'>;

interface Reason {
  /** Why it should run, for people. */
  readonly text: string;
  readonly isManaged: boolean;
}

/** HA says what it wants; `ignored` leaves it to others. */
const wantedByHa = ({ ha }: GuestStateReading): boolean | null => {
  if (ha === null || ha.requested === null || ha.requested === 'ignored') return null;
  return ha.requested === 'started';
};

/** Every stop since its node came up would be known, and none is: whoever starts guests at boot did not start this one. */
const missedItsStart = (state: GuestStateReading, nowMs: number): boolean => {
  const { onBoot, nodeUpSinceMs, stopsKnownSinceMs } = state;
  return (
    onBoot === true &&
    nodeUpSinceMs !== null &&
    stopsKnownSinceMs !== null &&
    stopsKnownSinceMs <= nodeUpSinceMs &&
    nowMs - nodeUpSinceMs >= STARTED_WITHIN_MS
  );
};

/**
 * From when on a stop counts as the one that ended it; null: it was not seen running before this stretch of being off,
 * which was taken as meant when it began.
 */
const ranUntilMs = ({ history, lastSurveyAtMs, before }: Input): number | null => {
  const known = before(null);
  if (known !== null && (known.severity !== null || known.bad !== null)) return known.bad?.sinceMs ?? known.sinceMs;
  const last = history.samples(metrics.guestRunning).at(-1);
  // Kept where it changes: what ran at the last sample ran until the look before this one.
  return last?.value === 1 ? Math.max(last.atMs, lastSurveyAtMs ?? last.atMs) - CLOCKS_DIFFER_MS : null;
};

/** It ran until then, and whether somebody has stopped it since can't be seen. */
interface Blind {
  readonly ranUntilMs: number;
}

/** Why it should run; null: nothing says so. */
const shouldRun = (input: Input, state: GuestStateReading): Reason | Blind | null => {
  const wanted = wantedByHa(state);
  if (wanted !== null) return wanted ? { text: 'HA wants it to run', isManaged: true } : null;
  const { lastStop, stopsKnownSinceMs } = state;
  const untilMs = ranUntilMs(input);
  if (untilMs === null) {
    const isMeant = lastStop?.by === 'operator' && lastStop.atMs >= (state.nodeUpSinceMs ?? 0);
    return !isMeant && missedItsStart(state, input.nowMs)
      ? { text: 'it is started with its node', isManaged: false }
      : null;
  }
  if (lastStop?.by === 'operator' && lastStop.atMs >= untilMs) return null;
  if (stopsKnownSinceMs === null || stopsKnownSinceMs > untilMs) return { ranUntilMs: untilMs };
  return { text: 'it ran before, and nobody has stopped it', isManaged: false };
};

/** Off from now on: what it was before is not forgotten, and the time that it may be off begins anew. */
const offSince = (nowMs: number): BadStreak => ({ sinceMs: nowMs, lastAtMs: nowMs, looks: 1 });

export const guestDown = defineDetector({
  type: 'guest_down',
  title: 'Guest is down',
  category: 'reliability',
  kinds: KINDS,
  reads: ['guest_state'],
  sources: 'each',
  limits: {
    down: stateLimit({
      metric: 'down',
      kinds: KINDS,
      forMs: 5 * 60_000,
      because: 'longer than a restart takes, and than HA needs to move it',
    }),
  },
  explain:
    'A guest that is off is a problem only if it should be on: HA wants it started (critical), or it was seen running and no task of an operator has stopped or shut it down since, or it is started with its node, which has been up for ten minutes, and every stop since then would be known. What was off at the first look is taken as meant. While a task works on it, such as a backup that stops it, nothing is concluded. A guest that shut itself down from inside leaves no task: it counts as down, until somebody stops or starts it, or says that it is expected to be off.',
  detect: (input: Input): Judgement => {
    const { resource, readings, limits, before, nowMs } = input;
    const reading = newest(readings);
    if (reading === undefined) return unobserved('no_reading', 'no state of the guest');
    if (reading.power === 'unknown') return unobserved('stale', 'its node does not tell whether it runs');
    if (reading.power !== 'stopped') return clear();
    const reason = shouldRun(input, reading);
    if (reason === null) return clear();
    if (reading.taskRunning === true || reading.lock === 'backup')
      return { ...unobserved('confirming', 'it is off while a task works on it'), bad: offSince(nowMs) };
    if ('ranUntilMs' in reason) {
      const why = 'it ran before; whether somebody has stopped it can not be seen: tasks of others need Sys.Audit';
      return { ...unobserved('not_permitted', why), bad: { ...offSince(nowMs), sinceMs: reason.ranUntilMs } };
    }
    const streak = lasting({ nowMs, before: before(null), forMs: limits.down.forMs });
    const what = `${resource.name} is off; ${reason.text}`;
    if (!streak.counts) return confirming(what, streak, nowMs);
    return {
      state: 'raised',
      subject: null,
      severity: reason.isManaged ? 'critical' : 'warning',
      level: null,
      summary: `${what}; for ${formatDuration(nowMs - streak.bad.sinceMs)}, ${forText(limits.down)}`,
      clearsWhen: 'it runs again, or an operator stops it',
      evidence: [reading.id],
      bad: streak.bad,
    };
  },
});
