/** A guest that the HA manager has given up on, or is about to move away from a lost node. */
import { clear, defineDetector, type Judgement, unobserved } from '../detector.ts';
import { settled } from '../lasting.ts';
import { newest } from '../newest.ts';
import { stateLimit } from '../state-limit.ts';

const KINDS = ['vm', 'container'] as const;

const FAULTS: ReadonlyMap<string, string> = new Map([
  ['error', 'HA has given up on it, and does nothing until the error is cleared'],
  ['fence', 'its node is being fenced'],
  ['recovery', 'it is being recovered from a node that was lost'],
]);

export const haError = defineDetector({
  type: 'ha_error',
  title: 'HA can not keep it up',
  category: 'reliability',
  kinds: KINDS,
  reads: ['guest_state'],
  sources: 'each',
  limits: {
    ha: stateLimit({ metric: 'ha', kinds: KINDS, because: 'a fault at once: what HA was meant for is happening' }),
  },
  explain:
    "The HA manager's state of the guest is `error`, `fence` or `recovery`. Guests that HA does not manage are not judged.",
  detect: ({ resource, readings, limits, before, nowMs }): Judgement | readonly Judgement[] => {
    const reading = newest(readings);
    if (reading === undefined) return unobserved('no_reading', 'no state of the guest');
    if (reading.ha === null) return [];
    const fault = FAULTS.get(reading.ha.state);
    if (fault === undefined) return clear();
    const judgement: Judgement = {
      state: 'raised',
      subject: null,
      severity: 'critical',
      level: null,
      summary: `${resource.name} is in HA state ${reading.ha.state}: ${fault}`,
      clearsWhen: 'HA has it in an orderly state again',
      evidence: [reading.id],
    };
    return settled(judgement, limits.ha, before(null), nowMs);
  },
});
