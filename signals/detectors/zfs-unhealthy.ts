/** A ZFS pool that has lost something, or is about to. */
import { clear, type DetectorInput, defineDetector, type Judgement, unobserved } from '../detector.ts';
import { settled } from '../lasting.ts';
import type { EffectiveLimit } from '../limit.ts';
import { newest } from '../newest.ts';
import { stateLimit } from '../state-limit.ts';
import { judgeMember } from '../zfs/member.ts';
import { judgePoolState } from '../zfs/pool-state.ts';
import { judgeScrub } from '../zfs/scrub.ts';

const KINDS = ['pool'] as const;

type Limits = 'health' | 'errors' | 'scrub';

export const zfsUnhealthy = defineDetector({
  type: 'zfs_unhealthy',
  title: 'ZFS pool is unhealthy',
  category: 'reliability',
  kinds: KINDS,
  reads: ['zfs_pool'],
  sources: 'each',
  limits: {
    health: stateLimit({ metric: 'zfsHealth', kinds: KINDS, because: 'a fault at once: the state of the pool itself' }),
    errors: {
      metric: 'zfsErrors',
      kinds: KINDS,
      unit: 'count',
      direction: 'above',
      warning: 1,
      critical: null,
      clearBy: 1,
      forMs: 0,
      because: 'new errors of a member within a week; what piled up before says nothing about now',
    },
    scrub: {
      metric: 'zfsScrubAge',
      kinds: KINDS,
      unit: 'days',
      direction: 'above',
      warning: 40,
      critical: null,
      clearBy: 0,
      forMs: 0,
      because: "Debian's and most distributions' timers scrub once a month; ten days of grace",
    },
  },
  explain:
    "The state of the pool: DEGRADED is a warning while every vdev can still lose a device, or where that can't be told, and critical without redundancy left; FAULTED, UNAVAIL and SUSPENDED are critical, as are data errors. A member whose error counters have risen within a week is a finding of its own (`zfs_unhealthy:<member>`), and so is a scrub that is overdue (`zfs_unhealthy:scrub`): each has its own remedy. A resilver hides when the last scrub was, so it counts as one.",
  detect: (input: DetectorInput<'zfs_pool', Limits>): readonly Judgement[] => {
    const { limits } = input;
    const reading = newest(input.readings);
    if (reading === undefined) return [unobserved('no_reading', 'no pool reading')];
    const settle = (judgement: Judgement, limit: EffectiveLimit): Judgement =>
      settled(judgement, limit, input.before(judgement.subject), input.nowMs);
    const health = limits.health.off === null ? [settle(judgePoolState(reading), limits.health)] : [];
    const members =
      limits.errors.off === null
        ? reading.members.map((member) => settle(judgeMember(input, limits.errors, reading, member), limits.errors))
        : [];
    const scrub = limits.scrub.off === null ? judgeScrub(input, limits.scrub, reading) : null;
    // Members are many and mostly well: the pool's own clear stands for theirs, unless something was remembered.
    const worthSaying = members.filter(({ state, subject }) => state !== 'clear' || input.before(subject) !== null);
    const all = [...health, ...worthSaying, ...(scrub === null ? [] : [scrub])];
    return all.length === 0 ? [clear()] : all;
  },
});
