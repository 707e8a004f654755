/** A guest that its hypervisor has paused because something went wrong. */
import { clear, defineDetector, type Judgement, unobserved } from '../detector.ts';
import { settled } from '../lasting.ts';
import { newest } from '../newest.ts';
import type { GuestStateReading } from '../reading.ts';
import { stateLimit } from '../state-limit.ts';

const KINDS = ['vm', 'container'] as const;

const FAULTS: Readonly<Partial<Record<NonNullable<GuestStateReading['pausedBecause']>, string>>> = {
  'io-error': 'a disk of it can not be written: is its storage full or away?',
  'internal-error': 'the hypervisor met an error of its own',
  'guest-panicked': 'its kernel has panicked',
};

export const guestStalled = defineDetector({
  type: 'guest_stalled',
  title: 'Guest is stalled',
  category: 'reliability',
  kinds: KINDS,
  reads: ['guest_state'],
  sources: 'each',
  limits: {
    stalled: stateLimit({
      metric: 'stalled',
      kinds: KINDS,
      because: 'a fault at once: nothing in it runs any more, and nothing will start it by itself',
    }),
  },
  explain:
    'The hypervisor has paused the guest after an I/O error (most often a thin storage that is full), an internal error or a panic of the guest. One that somebody paused or suspended is not stalled.',
  detect: ({ resource, readings, limits, before, nowMs }): Judgement => {
    const reading = newest(readings);
    if (reading === undefined) return unobserved('no_reading', 'no state of the guest');
    if (reading.power === 'unknown') return unobserved('stale', 'its node does not tell whether it runs');
    const fault = reading.pausedBecause === null ? undefined : FAULTS[reading.pausedBecause];
    if (reading.power !== 'paused' || fault === undefined) return clear();
    const judgement: Judgement = {
      state: 'raised',
      subject: null,
      severity: 'critical',
      level: null,
      summary: `${resource.name} was paused (${reading.pausedBecause}): ${fault}`,
      clearsWhen: 'it runs again, or is stopped',
      evidence: [reading.id],
    };
    return settled(judgement, limits.stalled, before(null), nowMs);
  },
});
