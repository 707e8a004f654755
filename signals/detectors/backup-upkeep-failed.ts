/** Garbage collection, pruning, verification or syncing of a store of backups that fails or does not happen. */
import { clear, type DetectorInput, defineDetector, type Judgement, unobserved } from '../detector.ts';
import { formatDuration } from '../format.ts';
import { settled } from '../lasting.ts';
import { newestBy } from '../newest.ts';
import type { ReadingOf } from '../reading.ts';
import { stateLimit } from '../state-limit.ts';

const KINDS = ['datastore', 'host', 'node'] as const;

type Upkeep = ReadingOf<'upkeep'>;
type Input = DetectorInput<'upkeep', 'upkeep'>;

const NAMES: Readonly<Record<Upkeep['action'], string>> = {
  gc: 'garbage collection',
  prune: 'prune job',
  verify: 'verify job',
  sync: 'sync job',
};

const subjectOf = ({ action, job }: Upkeep): string => (action === job ? action : `${action}:${job}`);

const faultOf = ({ lastRun, dueAtMs }: Upkeep, nowMs: number): string | null => {
  if (lastRun !== null && lastRun.outcome === 'failed')
    return `its last run failed ${formatDuration(nowMs - lastRun.endedAtMs)} ago${lastRun.reason === null ? '' : `: ${lastRun.reason}`}`;
  return dueAtMs !== null && dueAtMs[1] <= nowMs ? 'two times at which it was due have passed' : null;
};

const judge = ({ resource, limits, before, nowMs }: Input, reading: Upkeep): Judgement => {
  const subject = subjectOf(reading);
  const known = before(subject);
  const fault = faultOf(reading, nowMs);
  const what = `${NAMES[reading.action]}${reading.action === reading.job ? '' : ` ${reading.job}`} of ${resource.name}`;
  if (reading.running && fault !== null && known?.severity == null)
    return unobserved('confirming', `the ${what} is running`, subject);
  if (fault === null) return clear(subject);
  const judgement: Judgement = {
    state: 'raised',
    subject,
    severity: 'warning',
    level: null,
    summary: `the ${what}: ${fault}`,
    clearsWhen: 'a run of it succeeds',
    evidence: [reading.id],
  };
  return settled(judgement, limits.upkeep, known, nowMs);
};

export const backupUpkeepFailed = defineDetector({
  type: 'backup_upkeep_failed',
  title: 'Upkeep of backups fails',
  category: 'backup',
  kinds: KINDS,
  reads: ['upkeep'],
  sources: 'each',
  limits: {
    upkeep: stateLimit({
      metric: 'upkeep',
      kinds: KINDS,
      because: 'a run that failed is told by its own task; one that is late once may be waiting for another',
    }),
  },
  explain:
    'For each job (`backup_upkeep_failed:<action>:<job>`, and `gc`): its last run failed, or two times in a row at which it was due have passed. Without garbage collection and pruning a datastore fills up; without verification damage is met at the restore; without syncing the copy elsewhere grows old. Jobs that are disabled are not judged.',
  detect: (input: Input): readonly Judgement[] =>
    [...newestBy(input.readings, subjectOf).values()]
      .filter(({ enabled }) => enabled)
      .map((reading) => judge(input, reading)),
});
