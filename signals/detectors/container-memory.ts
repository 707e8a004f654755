/** A container near the memory limit that it was given, or killed at it. */
import { clear, type DetectorInput, defineDetector, type Judgement, unobserved } from '../detector.ts';
import { formatBytes, formatDuration } from '../format.ts';
import { metrics } from '../history.ts';
import { judgeLevel } from '../level.ts';
import { newest } from '../newest.ts';
import type { ReadingOf } from '../reading.ts';
import { OBSERVED_AT_LEAST, sustained, warmingUp } from '../window.ts';

const KINDS = ['container'] as const;

/** After a kill, or a restart, as long must pass without another one. */
export const WELL_FOR_MS = 30 * 60_000;

/** What was killed longer ago, and is down at the first look, is the baseline. */
export const NEWS_MS = 86_400_000;

type Input = DetectorInput<'container' | 'container_memory', 'memoryOfLimit'>;
type State = ReadingOf<'container'> | undefined;
type Memory = ReadingOf<'container_memory'> | undefined;
type Raised = Extract<Judgement, { readonly state: 'raised' }>;

const isRaised = ({ before }: Input): boolean => (before(null)?.severity ?? null) !== null;

/** Use of the limit; null: there is nothing to measure. */
const levelOf = (input: Input, memory: Memory, state: State): Judgement | null => {
  const { limits, history, before, nowMs, resource } = input;
  const { memoryOfLimit: limit } = limits;
  if (memory === undefined) {
    const isExpected = state?.state === 'running' && resource.expects.includes('container_memory');
    return isExpected ? unobserved('no_reading', 'its memory could not be read') : null;
  }
  const { workingSetBytes, limitBytes } = memory;
  if (limitBytes === null) return null;
  const past = sustained(memory, workingSetBytes / limitBytes, history.samples(metrics.containerMemory), limit.forMs);
  if (past === null || past.observedRatio < OBSERVED_AT_LEAST)
    return warmingUp(past?.observedRatio ?? 0, limit.forMs, nowMs);
  const over = formatDuration(limit.forMs);
  return judgeLevel({
    limit,
    value: past.mean * 100,
    before: before(null),
    evidence: [memory.id],
    what: (value) => `${value} of its memory limit in use over ${over}`,
    also: () => [
      `${formatBytes(workingSetBytes)} of ${formatBytes(limitBytes)} now, without cache that could be given back`,
    ],
    clears: `the mean over ${over}`,
  });
};

const wasSeenRunning = ({ history }: Input, { instanceId }: ReadingOf<'container'>): boolean =>
  history.samples(metrics.containerRunning(instanceId)).some(({ value }) => value === 1);

const warning = (state: ReadingOf<'container'>, summary: string, sinceMs: number): Raised => ({
  state: 'raised',
  subject: null,
  severity: 'warning',
  level: null,
  summary,
  clearsWhen: `it has run for ${formatDuration(WELL_FOR_MS)} without being killed, below its limits`,
  evidence: [state.id],
  sinceMs,
});

/** A kill, or the time after one. Null: neither. */
const killOf = (input: Input, state: State): Raised | null => {
  if (state === undefined) return null;
  const { nowMs } = input;
  const endedAtMs = Math.min(state.finishedAtMs ?? nowMs, nowMs);
  const isNews = isRaised(input) || wasSeenRunning(input, state) || nowMs - endedAtMs < NEWS_MS;
  if (state.oomKilled && isNews)
    return warning(state, `was killed at its memory limit ${formatDuration(nowMs - endedAtMs)} ago`, endedAtMs);
  const upMs = state.state === 'running' && state.startedAtMs !== null ? nowMs - state.startedAtMs : null;
  if (!isRaised(input) || upMs === null || upMs >= WELL_FOR_MS) return null;
  const summary = `was short of memory, and has run for ${formatDuration(upMs)} again since a restart`;
  return warning(state, summary, Math.min(input.before(null)?.sinceMs ?? nowMs, nowMs));
};

/** The figure has the say where it is worse, or tells more; a kill is added to it. */
const joined = (level: Judgement, kill: Raised): Judgement => {
  if (level.state !== 'raised') return kill;
  return {
    ...level,
    summary: `${level.summary}; ${kill.summary}`,
    evidence: [...level.evidence, ...kill.evidence],
    clearsWhen: `${level.clearsWhen}, and ${kill.clearsWhen}`,
  };
};

export const containerMemory = defineDetector({
  type: 'container_memory',
  title: 'Container is short of memory',
  category: 'performance',
  kinds: KINDS,
  reads: ['container_memory', 'container'],
  sources: 'each',
  limits: {
    memoryOfLimit: {
      metric: 'memoryOfLimit',
      kinds: KINDS,
      unit: 'percent',
      direction: 'above',
      warning: 90,
      critical: 98,
      clearBy: 5,
      forMs: 5 * 60_000,
      because: 'what is beyond the limit is not slow but killed; 98 % is a hair from it',
    },
  },
  explain:
    'The working set (memory without the cache that the kernel would give back) against the limit that the container was given, as a mean over five minutes; a container without a limit is not judged here. A container that was killed for lack of memory is a warning at once. The engine forgets the kill at the next start, so it stays until the container has run for half an hour: a leak takes its time. What was killed more than a day before patrold first saw the container is the baseline. A container that was stopped uses no memory.',
  detect: (input: Input): Judgement | readonly Judgement[] => {
    const state = newest(input.readings.filter((reading) => reading.kind === 'container'));
    const memory = newest(input.readings.filter((reading) => reading.kind === 'container_memory'));
    const level = levelOf(input, memory, state);
    const kill = killOf(input, state);
    if (kill !== null) return level === null ? kill : joined(level, kill);
    if (level !== null) return level;
    return isRaised(input) ? clear() : [];
  },
});
