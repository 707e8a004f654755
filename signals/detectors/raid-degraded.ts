/** An array that runs on fewer devices than it should. */
import { clear, defineDetector, type Judgement, unobserved } from '../detector.ts';
import { formatPercent } from '../format.ts';
import { settled } from '../lasting.ts';
import { newest } from '../newest.ts';
import type { ArrayRebuild } from '../reading.ts';
import { stateLimit } from '../state-limit.ts';

const KINDS = ['array'] as const;

/** Members that are named in a summary. */
const NAMED = 4;

const nameList = (names: readonly string[]): string =>
  names.length <= NAMED ? names.join(', ') : `${names.slice(0, NAMED).join(', ')} and ${names.length - NAMED} more`;

const rebuildText = (rebuild: ArrayRebuild | null): readonly string[] =>
  rebuild === null ? [] : [`${rebuild.action} running, ${formatPercent(rebuild.doneRatio * 100)} done`];

export const raidDegraded = defineDetector({
  type: 'raid_degraded',
  title: 'Array is degraded',
  category: 'reliability',
  kinds: KINDS,
  reads: ['array'],
  sources: 'each',
  limits: {
    degraded: stateLimit({
      metric: 'degraded',
      kinds: KINDS,
      because: 'a fault at once: the next failure may cost the data',
    }),
  },
  explain:
    'Software (md, btrfs) and hardware arrays. Fewer active devices than the array requires is critical, also while it rebuilds, which is said: until the rebuild is done the redundancy is not back. A failed member of an array that is complete again, since a spare took its place, is a warning.',
  detect: ({ readings, limits, before, nowMs }): Judgement => {
    const reading = newest(readings);
    if (reading === undefined) return unobserved('no_reading', 'no array reading');
    const { level, requiredDevices, activeDevices, failedMembers, rebuild } = reading;
    const missing = activeDevices < requiredDevices;
    if (!missing && failedMembers.length === 0) return clear();
    const sentence = [
      `${level}: ${activeDevices} of ${requiredDevices} devices active`,
      ...(failedMembers.length > 0 ? [`failed: ${nameList(failedMembers)}`] : []),
      ...rebuildText(rebuild),
    ];
    const judgement: Judgement = {
      state: 'raised',
      subject: null,
      severity: missing ? 'critical' : 'warning',
      level: { value: activeDevices, limit: null, unit: 'count', direction: 'below' },
      summary: sentence.join('; '),
      clearsWhen: `all ${requiredDevices} devices are active and no member is marked as failed`,
      evidence: [reading.id],
    };
    return settled(judgement, limits.degraded, before(null), nowMs);
  },
});
