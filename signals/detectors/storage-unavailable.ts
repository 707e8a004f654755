/** A storage that is configured and enabled, and that nodes can not use. */
import { clear, type DetectorInput, defineDetector, type Judgement, unobserved } from '../detector.ts';
import { formatDuration } from '../format.ts';
import { confirming, lasting } from '../lasting.ts';
import { newest } from '../newest.ts';
import { stateLimit } from '../state-limit.ts';

const KINDS = ['storage', 'pool', 'datastore'] as const;

/** Nodes that are named in a summary. */
const NAMED = 4;

const nodesText = (nodes: readonly string[]): string =>
  nodes.length <= NAMED ? nodes.join(', ') : `${nodes.slice(0, NAMED).join(', ')} and ${nodes.length - NAMED} more`;

export const storageUnavailable = defineDetector({
  type: 'storage_unavailable',
  title: 'Storage can not be used',
  category: 'reliability',
  kinds: KINDS,
  reads: ['storage_state'],
  sources: 'each',
  limits: {
    available: stateLimit({
      metric: 'available',
      kinds: KINDS,
      because: 'two looks a minute or more apart: a mount that hangs for a moment is none',
    }),
  },
  explain:
    'An enabled storage that is not active, twice, on a node that is online and should have it: critical where disks of guests live on it, else a warning. Nodes that are off do not count, nor do storages that an operator has disabled.',
  detect: ({
    resource,
    readings,
    limits,
    before,
    nowMs,
  }: DetectorInput<'storage_state', 'available'>): Judgement | readonly Judgement[] => {
    const reading = newest(readings);
    if (reading === undefined) return unobserved('no_reading', 'nothing says whether it can be used');
    const { enabled, active, inactiveOn, holdsGuestDisks } = reading;
    if (!enabled) return [];
    if (active === null) return unobserved('stale', 'its nodes do not tell whether it can be used');
    if (active) return clear();
    const where = inactiveOn.length === 0 ? '' : ` on ${nodesText(inactiveOn)}`;
    const what = `${resource.name} is not active${where}`;
    const streak = lasting({ nowMs, before: before(null), forMs: limits.available.forMs, looks: 2 });
    if (!streak.counts) return confirming(what, streak, nowMs);
    return {
      state: 'raised',
      subject: null,
      severity: holdsGuestDisks === true ? 'critical' : 'warning',
      level: null,
      summary: `${what}, for ${formatDuration(nowMs - streak.bad.sinceMs)}${holdsGuestDisks === true ? '; disks of guests are on it' : ''}`,
      clearsWhen: 'it is active again, or is disabled',
      evidence: [reading.id],
      bad: streak.bad,
    };
  },
});
