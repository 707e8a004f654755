/** Backups that were read again and found damaged: they can't be restored. */
import { clear, type DetectorInput, defineDetector, type Judgement } from '../detector.ts';
import { settled } from '../lasting.ts';
import { newestBy } from '../newest.ts';
import type { ReadingOf } from '../reading.ts';
import { stateLimit } from '../state-limit.ts';

const KINDS = ['vm', 'container', 'host', 'node', 'datastore'] as const;

/** Damaged backups that are named in a summary. */
const NAMED = 3;

type Input = DetectorInput<'backup_verification', 'verification'>;

const judge = ({ resource, limits, before, nowMs }: Input, reading: ReadingOf<'backup_verification'>): Judgement => {
  const { target: subject, failed, verified } = reading;
  if (failed.length === 0) return clear(subject);
  const newestFirst = failed.toSorted((a, b) => b.atMs - a.atMs);
  const named = newestFirst.slice(0, NAMED).map(({ backup }) => backup);
  const more = failed.length > NAMED ? ` and ${failed.length - NAMED} more` : '';
  const judgement: Judgement = {
    state: 'raised',
    subject,
    severity: 'critical',
    level: { value: failed.length, limit: null, unit: 'count', direction: 'above' },
    summary: `${failed.length === 1 ? 'a backup' : `${failed.length} backups`} of ${resource.name} on ${subject} failed verification: ${named.join(', ')}${more}; ${verified} verified well`,
    clearsWhen: 'the damaged backups are gone, or verified well',
    evidence: [reading.id],
  };
  return settled(judgement, limits.verification, before(subject), nowMs);
};

export const backupVerifyFailed = defineDetector({
  type: 'backup_verify_failed',
  title: 'Backup is damaged',
  category: 'backup',
  kinds: KINDS,
  reads: ['backup_verification'],
  sources: 'each',
  limits: {
    verification: stateLimit({
      metric: 'verification',
      kinds: KINDS,
      because:
        'a fault at once: it would be met at the restore otherwise, and later backups may share the damaged chunks',
    }),
  },
  explain:
    'For each target (`backup_verify_failed:<target>`): the verification of at least one backup failed, that is, chunks of it are missing or damaged. A backup that was not verified yet says nothing either way.',
  detect: (input: Input): readonly Judgement[] =>
    [...newestBy(input.readings, ({ target }) => target).values()].map((reading) => judge(input, reading)),
});
