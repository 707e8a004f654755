/** A network bond with a member that is down. */
import { clear, type DetectorInput, defineDetector, type Judgement } from '../detector.ts';
import { formatDuration } from '../format.ts';
import { confirming, lasting } from '../lasting.ts';
import { newestBy } from '../newest.ts';
import type { ReadingOf } from '../reading.ts';
import { stateLimit } from '../state-limit.ts';

const KINDS = ['host', 'node'] as const;

const judge = ({ limits, before, nowMs }: DetectorInput<'bond', 'bond'>, reading: ReadingOf<'bond'>): Judgement => {
  const { name, members } = reading;
  const down = members.filter(({ up }) => !up);
  if (down.length === 0) return clear(name);
  const what = `${name}: ${down.map((member) => member.name).join(', ')} down, ${members.length - down.length} of ${members.length} members up`;
  const { forMs } = limits.bond;
  const streak = lasting({ nowMs, before: before(name), forMs });
  if (!streak.counts) return confirming(what, streak, nowMs, name);
  return {
    state: 'raised',
    subject: name,
    severity: 'warning',
    level: { value: members.length - down.length, limit: null, unit: 'count', direction: 'below' },
    summary: `${what}, for ${formatDuration(nowMs - streak.bad.sinceMs)}`,
    clearsWhen: 'all its members are up, or what is unplugged for good is taken out of the bond',
    evidence: [reading.id],
    bad: streak.bad,
  };
};

export const bondDegraded = defineDetector({
  type: 'bond_degraded',
  title: 'Network bond is degraded',
  category: 'connectivity',
  kinds: KINDS,
  reads: ['bond'],
  sources: 'each',
  limits: {
    bond: stateLimit({
      metric: 'bond',
      kinds: KINDS,
      forMs: 5 * 60_000,
      because: 'long enough for a switch to restart',
    }),
  },
  explain:
    'A member of a bond whose link (MII status) is down for five minutes; each bond is a finding of its own (`bond_degraded:<bond>`). The network still works, which is why nobody notices: the next cable takes it away.',
  detect: (input: DetectorInput<'bond', 'bond'>): readonly Judgement[] =>
    [...newestBy(input.readings, ({ name }) => name).values()].map((reading) => judge(input, reading)),
});
