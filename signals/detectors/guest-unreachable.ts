/** Something that runs, and that no probe gets an answer from. */
import { clear, type DetectorInput, defineDetector, type Judgement, unobserved } from '../detector.ts';
import { formatDuration } from '../format.ts';
import { confirming, lasting } from '../lasting.ts';
import { newestBy } from '../newest.ts';
import type { ReadingOf } from '../reading.ts';
import { isGuest, type Resource } from '../resource.ts';
import { skipStoppedGuest } from '../scope.ts';
import { stateLimit } from '../state-limit.ts';

const KINDS = ['endpoint', 'host', 'node', 'vm', 'container', 'service', 'datastore', 'storage'] as const;

/** Probes that are named in a summary. */
const NAMED = 4;

type Probe = ReadingOf<'probe'>;

/**
 * A published port of a container is accepted by the engine's proxy even when nothing listens behind it: beside any
 * other probe, a connection alone says nothing.
 */
const applicable = ({ kind }: Resource, probes: readonly Probe[]): readonly Probe[] => {
  const telling = probes.filter(({ probe, answered }) => !(kind === 'container' && probe === 'tcp' && answered));
  return telling.length > 0 ? telling : probes;
};

const describe = ({ check, probe, reason }: Probe): string =>
  `${check} (${probe}${reason === null ? '' : `: ${reason}`})`;

const listOf = (probes: readonly Probe[]): string => {
  const named = probes.slice(0, NAMED).map(describe).join(', ');
  return probes.length > NAMED ? `${named} and ${probes.length - NAMED} more` : named;
};

export const guestUnreachable = defineDetector({
  type: 'guest_unreachable',
  title: 'Does not answer',
  category: 'connectivity',
  kinds: KINDS,
  reads: ['probe'],
  sources: 'together',
  limits: {
    reachable: stateLimit({
      metric: 'reachable',
      kinds: KINDS,
      because: 'two looks a minute or more apart: one lost answer is chance',
    }),
  },
  explain:
    'Of all probes of one thing, by whichever source, none gets an answer in two looks: a machine whose firewall drops ping is reachable as long as anything else answers. What the configuration says a good answer is decides whether a probe was answered. A stopped or paused guest is not judged; of a guest whose own source can not be asked it is not known whether it runs, and silence proves nothing. A probe that could not be made is no unanswered one. For containers a mere TCP connection does not count beside other probes, since the engine accepts it whether or not anything listens.',
  skip: skipStoppedGuest,
  detect: ({ resource, readings, limits, before, nowMs }: DetectorInput<'probe', 'reachable'>): Judgement => {
    const latest = [...newestBy(readings, ({ check, probe, sourceId }) => `${sourceId} ${probe} ${check}`).values()];
    const probes = applicable(resource, latest);
    if (probes.some(({ answered }) => answered)) return clear();
    const silent = `${resource.name} does not answer ${listOf(probes)}`;
    if (isGuest(resource.kind) && resource.status === 'unknown')
      return unobserved(
        'source_failed',
        `${silent}; whether it should run is not known while its source can not be asked`,
      );
    if (isGuest(resource.kind) && resource.status === 'failed')
      return unobserved('confirming', `${silent}; it has failed itself, and the silence belongs to that`);
    const streak = lasting({ nowMs, before: before(null), forMs: limits.reachable.forMs, looks: 2 });
    if (!streak.counts) return confirming(silent, streak, nowMs);
    return {
      state: 'raised',
      subject: null,
      severity: 'warning',
      level: null,
      summary: `${silent}, for ${formatDuration(nowMs - streak.bad.sinceMs)}`,
      clearsWhen: 'any of its probes is answered',
      evidence: probes.map(({ id }) => id),
      bad: streak.bad,
    };
  },
});
