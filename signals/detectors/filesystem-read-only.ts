/** A filesystem that was writable and is not any more: mostly the kernel's answer to errors underneath it. */
import { clear, defineDetector, type Judgement, unobserved } from '../detector.ts';
import { metrics } from '../history.ts';
import { settled } from '../lasting.ts';
import { newest } from '../newest.ts';
import { skipSpace } from '../space/space.ts';
import { stateLimit } from '../state-limit.ts';

const KINDS = ['filesystem'] as const;

export const filesystemReadOnly = defineDetector({
  type: 'filesystem_read_only',
  title: 'Filesystem turned read-only',
  category: 'reliability',
  kinds: KINDS,
  reads: ['filesystem'],
  sources: 'each',
  limits: {
    readOnly: stateLimit({
      metric: 'readOnly',
      kinds: KINDS,
      because: 'a fault at once: programs on it are failing already',
    }),
  },
  explain:
    'By the options of the superblock, not of the mount: a hardened service sees every mount read-only. Raised when it was seen writable before, or when the source knows that it is meant to be writable (fstab); one that is read-only at the first look and of which nothing else is known is a baseline, not a fault. After a deliberate remount, dismiss it as expected.',
  skip: skipSpace,
  detect: ({ resource, readings, limits, history, before, nowMs }): Judgement => {
    const reading = newest(readings);
    if (reading === undefined) return unobserved('no_reading', 'no filesystem reading');
    if (reading.superblockReadOnly === null)
      return unobserved('not_supported', 'the source does not tell whether it is read-only');
    if (!reading.superblockReadOnly) return clear();
    const known = before(null);
    const samples = history.samples(metrics.readOnly).filter(({ atMs }) => atMs < reading.takenAtMs);
    const lastWritable = samples.findLast(({ value }) => value === 0);
    const meant = resource.facts['meantWritable'] === true;
    const raisedBefore = known !== null && known.severity !== null;
    if (lastWritable === undefined && !meant && !raisedBefore) return clear();
    const seen = lastWritable === undefined ? 'it is meant to be writable' : 'it was writable before';
    const firstReadOnly = lastWritable === undefined ? undefined : samples.find(({ atMs }) => atMs > lastWritable.atMs);
    const judgement: Judgement = {
      state: 'raised',
      subject: null,
      severity: 'critical',
      level: null,
      summary: `read-only by its superblock; ${seen}`,
      clearsWhen: 'it is writable again',
      evidence: [reading.id],
      sinceMs: firstReadOnly?.atMs ?? reading.takenAtMs,
    };
    return settled(judgement, limits.readOnly, known, nowMs);
  },
});
