/** A guest that is locked for long, while nothing works on it. */
import { clear, defineDetector, type Judgement, unobserved } from '../detector.ts';
import { forText } from '../for-text.ts';
import { formatDuration } from '../format.ts';
import { confirming, lasting } from '../lasting.ts';
import { newest } from '../newest.ts';
import { stateLimit } from '../state-limit.ts';

const KINDS = ['vm', 'container'] as const;

/** Meant to last: the state of a suspended guest is kept on disk under it. */
const LASTING_LOCK = 'suspended';

export const guestLocked = defineDetector({
  type: 'guest_locked',
  title: 'Guest is locked',
  category: 'reliability',
  kinds: KINDS,
  reads: ['guest_state'],
  sources: 'each',
  limits: {
    locked: stateLimit({
      metric: 'locked',
      kinds: KINDS,
      forMs: 2 * 3_600_000,
      because: 'longer than a task leaves its lock behind while it is cleaned up',
    }),
  },
  explain:
    'A lock (backup, snapshot, migrate and the like) that has been there for two hours while no task runs on the guest was left behind by a task that died: backups, snapshots and migrations of it fail until somebody removes it (`qm unlock`, `pct unlock`). Hypervisors do not say since when a lock is there, so that the two hours begin at the first look. Where tasks can not be seen nothing is concluded.',
  detect: ({ resource, readings, limits, before, nowMs }): Judgement => {
    const reading = newest(readings);
    if (reading === undefined) return unobserved('no_reading', 'no state of the guest');
    const { lock, taskRunning } = reading;
    if (lock === null || lock === LASTING_LOCK || taskRunning === true) return clear();
    if (taskRunning === null)
      return unobserved('not_permitted', `it is locked (${lock}); whether a task works on it can not be seen`);
    const streak = lasting({ nowMs, before: before(null), forMs: limits.locked.forMs });
    const what = `${resource.name} is locked (${lock}) and no task works on it`;
    if (!streak.counts) return confirming(what, streak, nowMs);
    return {
      state: 'raised',
      subject: null,
      severity: 'warning',
      level: null,
      summary: `${what}; for ${formatDuration(nowMs - streak.bad.sinceMs)}, ${forText(limits.locked)}`,
      clearsWhen: 'the lock is gone',
      evidence: [reading.id],
      bad: streak.bad,
      details: { lock },
    };
  },
});
