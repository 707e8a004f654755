/** A disk of a guest that has backups, which no backup holds. */
import { clear, type DetectorInput, defineDetector, type Judgement, unobserved } from '../detector.ts';
import { formatBytes } from '../format.ts';
import { settled } from '../lasting.ts';
import { newest } from '../newest.ts';
import { stateLimit } from '../state-limit.ts';

const KINDS = ['vm', 'container'] as const;

type Input = DetectorInput<'backup_volumes', 'excluded'>;

export const backupVolumeExcluded = defineDetector({
  type: 'backup_volume_excluded',
  title: 'Disk is in no backup',
  category: 'backup',
  kinds: KINDS,
  reads: ['backup_volumes'],
  sources: 'each',
  limits: {
    excluded: stateLimit({
      metric: 'excluded',
      kinds: KINDS,
      because: 'for information: it may well be meant, and then the disk says so (`backup=0`)',
    }),
  },
  explain:
    'For each disk (`backup_volume_excluded:<disk>`) of a guest that some job backs up: the job leaves it out, and nobody has said that it shall (mount points of containers are left out unless they say `backup=1`). A guest that no job includes at all is backup_stale.',
  detect: ({ resource, readings, limits, before, nowMs }: Input): readonly Judgement[] => {
    const reading = newest(readings);
    if (reading === undefined) return [unobserved('no_reading', 'no list of disks')];
    if (!reading.volumes.some(({ included }) => included)) return [];
    return reading.volumes.map(({ name: subject, sizeBytes, included, excludedOnPurpose }) => {
      if (included || excludedOnPurpose) return clear(subject);
      const judgement: Judgement = {
        state: 'raised',
        subject,
        severity: 'info',
        level: null,
        summary: `${subject} of ${resource.name}${sizeBytes === null ? '' : ` (${formatBytes(sizeBytes)})`} is in no backup, though the guest is`,
        clearsWhen: 'a job includes it, or it is marked as left out on purpose',
        evidence: [reading.id],
      };
      return settled(judgement, limits.excluded, before(subject), nowMs);
    });
  },
});
