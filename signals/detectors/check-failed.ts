/** One check of several on a thing that is not answered, while another one is. */
import { clear, type DetectorInput, defineDetector, type Judgement, unobserved } from '../detector.ts';
import { formatDuration } from '../format.ts';
import { confirming, lasting } from '../lasting.ts';
import { newestBy } from '../newest.ts';
import type { ReadingOf } from '../reading.ts';
import { skipStoppedGuest } from '../scope.ts';
import { stateLimit } from '../state-limit.ts';

const KINDS = ['endpoint', 'host', 'node', 'vm', 'container', 'service', 'datastore', 'storage'] as const;

type Probe = ReadingOf<'probe'>;
type Input = DetectorInput<'probe', 'answered'>;

const judge = (input: Input, probe: Probe, isLost: boolean): readonly Judgement[] => {
  const { resource, limits, before, nowMs } = input;
  const subject = probe.check;
  if (probe.answered) return [clear(subject)];
  const known = before(subject);
  const reason = probe.reason === null ? '' : `: ${probe.reason}`;
  const silent = `${resource.name} does not answer ${probe.check} as it should${reason}`;
  // That nothing answers is one problem, and said by guest_unreachable.
  if (isLost) return known === null ? [] : [unobserved('confirming', `nothing on ${resource.name} answers`, subject)];
  const streak = lasting({ nowMs, before: known, forMs: limits.answered.forMs, looks: 2 });
  if (!streak.counts) return [confirming(silent, streak, nowMs, subject)];
  return [
    {
      state: 'raised',
      subject,
      severity: 'warning',
      level: null,
      summary: `${silent}, for ${formatDuration(nowMs - streak.bad.sinceMs)}; other checks of it are answered`,
      clearsWhen: 'the check is answered',
      evidence: [probe.id],
      bad: streak.bad,
    },
  ];
};

export const checkFailed = defineDetector({
  type: 'check_failed',
  title: 'A check fails',
  category: 'connectivity',
  kinds: KINDS,
  reads: ['probe'],
  sources: 'together',
  limits: {
    answered: stateLimit({
      metric: 'answered',
      kinds: KINDS,
      because: 'two looks a minute or more apart: one lost answer is chance',
    }),
  },
  explain:
    'Of the checks that the operator configured on one thing, one gets no answer, or not the one it should get, in two looks, while another is answered: the machine is there, and the web server on it is not. When none is answered, guest_unreachable says so, once. Probes that a source makes by itself prove that something is there, and never that something else should be.',
  skip: skipStoppedGuest,
  detect: (input: Input): readonly Judgement[] => {
    const latest = [
      ...newestBy(input.readings, ({ check, probe, sourceId }) => `${sourceId} ${probe} ${check}`).values(),
    ];
    const expected = latest.filter((probe) => probe.expected === true);
    const isLost = latest.every(({ answered }) => !answered);
    // A check that is the only one says what guest_unreachable says.
    const told = latest.length > 1 ? expected : expected.filter(({ check }) => input.before(check) !== null);
    const bySubject = Map.groupBy(told, ({ check }) => check);
    // Where two sources make the same check, the one that gets no answer counts.
    return [...bySubject.values()].flatMap((probes) => {
      const worst = probes.find(({ answered }) => !answered) ?? probes[0];
      return worst === undefined ? [] : judge(input, worst, isLost);
    });
  },
});
