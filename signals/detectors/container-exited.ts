/** A container that should run, or should have ended well, and did not. */
import { clear, type DetectorInput, defineDetector, type Judgement, unobserved } from '../detector.ts';
import { formatDuration } from '../format.ts';
import { metrics } from '../history.ts';
import { LOOKS_APART_MS } from '../lasting.ts';
import { newest } from '../newest.ts';
import type { ReadingOf } from '../reading.ts';
import { stateLimit } from '../state-limit.ts';

const KINDS = ['container'] as const;

/** 128 + SIGINT, SIGKILL, SIGTERM: how a process ends that was asked to, or was killed after the grace. */
const STOP_CODES: ReadonlySet<number> = new Set([130, 137, 143]);

type Input = DetectorInput<'container', 'exited'>;
type Container = ReadingOf<'container'>;

/** `why`: a fault. `unknown`: it may be one, and why that can't be told. Null: it is none. */
type Ending = { readonly why: string } | { readonly unknown: string } | null;

const wasAskedToStop = ({ stopRequestedAtMs, startedAtMs, exitCode, oomKilled }: Container): boolean => {
  if (stopRequestedAtMs !== null && stopRequestedAtMs >= (startedAtMs ?? 0)) return true;
  return exitCode !== null && STOP_CODES.has(exitCode) && !oomKilled;
};

/** Whether a request to stop would be known. */
const isWatched = ({ stopsKnownSinceMs, finishedAtMs }: Container): boolean =>
  stopsKnownSinceMs != null && finishedAtMs !== null && finishedAtMs >= stopsKnownSinceMs;

const wasSeenRunning = ({ history, before }: Input, { instanceId }: Container): boolean => {
  const known = before(null);
  if (known !== null && known.severity !== null) return true;
  return history.samples(metrics.containerRunning(instanceId)).some(({ value }) => value === 1);
};

const endingOf = (input: Input, reading: Container): Ending => {
  const { exitCode, startError, oomKilled, restartPolicy, restartCount, maxRetries } = reading;
  if (startError !== null) return { why: `could not be started: ${startError}` };
  if (exitCode === null || exitCode === 0 || wasAskedToStop(reading)) return null;
  const how = oomKilled ? `was killed for lack of memory (exit code ${exitCode})` : `ended with exit code ${exitCode}`;
  if (restartPolicy === 'on-failure' && maxRetries > 0 && restartCount >= maxRetries)
    return { why: `${how}, and the engine has given up after ${restartCount} restarts` };
  // With a restart policy the engine brings it back unless somebody stopped it.
  if (restartPolicy !== 'no' || !wasSeenRunning(input, reading)) return null;
  if (oomKilled || isWatched(reading)) return { why: how };
  return {
    unknown: `it ${how} while the engine's events were not known: whether somebody stopped it can't be told until it runs again`,
  };
};

const notRunning = (input: Input, reading: Container): Judgement => {
  const ending = endingOf(input, reading);
  if (ending === null) return clear();
  if ('unknown' in ending) return unobserved('cut_short', ending.unknown);
  const { finishedAtMs, exitCode, oomKilled } = reading;
  const sinceMs = Math.min(finishedAtMs ?? input.nowMs, input.nowMs);
  return {
    state: 'raised',
    subject: null,
    severity: 'warning',
    level: null,
    summary: `${ending.why}${finishedAtMs === null ? '' : `, ${formatDuration(input.nowMs - sinceMs)} ago`}`,
    clearsWhen: 'it runs again, ends well, or is removed',
    evidence: [reading.id],
    sinceMs,
    details: { oomKilled, ...(exitCode === null ? {} : { exitCode }) },
  };
};

export const containerExited = defineDetector({
  type: 'container_exited',
  title: 'Container has exited',
  category: 'reliability',
  kinds: KINDS,
  reads: ['container'],
  sources: 'each',
  limits: {
    exited: stateLimit({
      metric: 'exited',
      kinds: KINDS,
      because: 'an ending is a fact: waiting does not change it',
    }),
  },
  explain:
    'A container that could not be started, or that the engine has given up on after the retries of its policy, is a fault whenever it is seen. One without a restart policy is a fault if it was seen running by patrold, ended with an error, and nobody had asked it to stop before, by the events of the engine. What was already down at the first look is the baseline; exit codes 130, 137 and 143 are a stop unless memory ran out. Where the events were lost, whether somebody stopped it is unobserved, not guessed. One-off runs of Compose are not judged.',
  skip: ({ facts }) => (facts['oneOff'] === true ? 'a one-off run' : null),
  detect: (input: Input): Judgement => {
    const reading = newest(input.readings);
    if (reading === undefined) return unobserved('no_reading', 'no container state');
    const known = input.before(null);
    const isRaised = known !== null && known.severity !== null;
    switch (reading.state) {
      case 'created':
      case 'exited':
      case 'dead':
        return notRunning(input, reading);
      case 'removing':
        return isRaised ? unobserved('confirming', 'it is being removed') : clear();
      case 'restarting':
      case 'paused':
        return clear();
      case 'running': {
        const upMs = input.nowMs - (reading.startedAtMs ?? 0);
        if (!isRaised || upMs >= LOOKS_APART_MS) return clear();
        const reason = `it has run for ${formatDuration(upMs)} again: looked at once more before that counts`;
        return { ...unobserved('confirming', reason), retryAtMs: input.nowMs + LOOKS_APART_MS - upMs };
      }
    }
  },
});
