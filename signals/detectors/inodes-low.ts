/** A filesystem that runs out of inodes: no new file can be made, however much space is left. */
import { defineDetector, type Judgement, unobserved } from '../detector.ts';
import { settled } from '../lasting.ts';
import { judgeLevel } from '../level.ts';
import { newest } from '../newest.ts';
import { isNeverWritten, skipSpace } from '../space/space.ts';

const KINDS = ['filesystem'] as const;

export const inodesLow = defineDetector({
  type: 'inodes_low',
  title: 'Inodes are running out',
  category: 'capacity',
  kinds: KINDS,
  reads: ['filesystem'],
  sources: 'each',
  limits: {
    inodesFree: {
      metric: 'inodesFree',
      kinds: KINDS,
      unit: 'percent',
      direction: 'below',
      warning: 5,
      critical: 3,
      clearBy: 2,
      forMs: 0,
      because: "the limits of node_exporter's own alerts: 5 % and 3 % free",
    },
  },
  explain:
    'The share of inodes that are free. Filesystems that make inodes as they need them (btrfs, ZFS) tell no number and are out of scope, as is what has never been writable. What to look for are very many small files: caches, sessions, mail queues.',
  skip: skipSpace,
  detect: ({ readings, limits, history, before, nowMs }): Judgement | readonly Judgement[] => {
    const reading = newest(readings);
    if (reading === undefined) return unobserved('no_reading', 'no filesystem reading');
    const { inodesTotal, inodesFree } = reading;
    if (inodesTotal === null || inodesTotal === 0) return [];
    if (inodesFree === null)
      return unobserved('not_supported', 'the source tells the number of inodes, but not how many are free');
    const known = before(null);
    if (known === null && isNeverWritten(reading, history)) return [];
    const judgement = judgeLevel({
      limit: limits.inodesFree,
      value: (inodesFree / inodesTotal) * 100,
      before: known,
      evidence: [reading.id],
      what: (free) => `${free} of inodes free`,
      also: () => [`${inodesFree} of ${inodesTotal} left`],
      clears: 'the free share',
    });
    return settled(judgement, limits.inodesFree, known, nowMs);
  },
});
