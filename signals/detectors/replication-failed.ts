/** A replication job that does not get through: the copy on the other node grows old. */
import { clear, type DetectorInput, defineDetector, type Judgement, unobserved } from '../detector.ts';
import { formatDuration } from '../format.ts';
import { settled } from '../lasting.ts';
import { newestBy } from '../newest.ts';
import type { ReadingOf } from '../reading.ts';
import { stateLimit } from '../state-limit.ts';

const KINDS = ['vm', 'container'] as const;

type Input = DetectorInput<'replication', 'replication'>;

const faultOf = ({ failCount, error, dueAtMs }: ReadingOf<'replication'>, nowMs: number): string | null => {
  if (failCount > 0 || error !== null) {
    const times = failCount > 1 ? `, ${failCount} times in a row` : '';
    return `its last run failed${times}${error === null ? '' : `: ${error}`}`;
  }
  return dueAtMs !== null && dueAtMs[1] <= nowMs ? 'two times at which it was due have passed' : null;
};

const judge = ({ resource, limits, before, nowMs }: Input, reading: ReadingOf<'replication'>): Judgement => {
  const { job: subject, target, running, lastSyncAtMs } = reading;
  const known = before(subject);
  const fault = faultOf(reading, nowMs);
  // A run under way puts it off, and takes nothing back.
  if (running && fault !== null && known?.severity == null)
    return unobserved('confirming', `job ${subject} is running`, subject);
  if (fault === null) return clear(subject);
  const last =
    lastSyncAtMs === null ? 'it has never succeeded' : `last copy ${formatDuration(nowMs - lastSyncAtMs)} ago`;
  const judgement: Judgement = {
    state: 'raised',
    subject,
    severity: 'warning',
    level: null,
    summary: `replication ${subject} of ${resource.name} to ${target}: ${fault}; ${last}`,
    clearsWhen: 'a run of the job succeeds',
    evidence: [reading.id],
  };
  return settled(judgement, limits.replication, known, nowMs);
};

export const replicationFailed = defineDetector({
  type: 'replication_failed',
  title: 'Replication fails',
  category: 'backup',
  kinds: KINDS,
  reads: ['replication'],
  sources: 'each',
  limits: {
    replication: stateLimit({
      metric: 'replication',
      kinds: KINDS,
      because: 'the job tells of its own failures, and tries again by itself',
    }),
  },
  explain:
    'For each job (`replication_failed:<job>`): its last run failed, or two times in a row at which it was due have passed since the last copy. A run under way is waited for. Jobs that are disabled are not judged.',
  detect: (input: Input): readonly Judgement[] =>
    [...newestBy(input.readings, ({ job }) => job).values()]
      .filter(({ enabled }) => enabled)
      .map((reading) => judge(input, reading)),
});
