/** A cluster without a majority: nothing in it can be changed, started or moved. */
import { clear, defineDetector, type Judgement, unobserved } from '../detector.ts';
import { settled } from '../lasting.ts';
import { newest } from '../newest.ts';
import { stateLimit } from '../state-limit.ts';

const KINDS = ['cluster'] as const;

/** Nodes that are named in a summary. */
const NAMED = 5;

export const quorumLost = defineDetector({
  type: 'quorum_lost',
  title: 'Cluster has no quorum',
  category: 'reliability',
  kinds: KINDS,
  reads: ['quorum'],
  sources: 'each',
  limits: {
    quorum: stateLimit({
      metric: 'quorum',
      kinds: KINDS,
      because: 'a fault at once: with HA, nodes without quorum reset themselves within a minute or two',
    }),
  },
  explain:
    'The cluster says itself that it is not quorate: configuration is read-only, guests can be neither started nor moved, and nodes with HA guests reset themselves. One node that is away from a cluster that has its majority is another problem, and said on the node.',
  detect: ({ readings, limits, before, nowMs }): Judgement => {
    const reading = newest(readings);
    if (reading === undefined) return unobserved('no_reading', 'nothing says whether the cluster is quorate');
    if (reading.quorate) return clear();
    const away = reading.nodes.filter(({ online }) => online === false).map(({ name }) => name);
    const named = away.slice(0, NAMED).join(', ');
    const more = away.length > NAMED ? ` and ${away.length - NAMED} more` : '';
    const judgement: Judgement = {
      state: 'raised',
      subject: null,
      severity: 'critical',
      level: {
        value: reading.nodes.filter(({ online }) => online === true).length,
        limit: null,
        unit: 'count',
        direction: 'below',
      },
      summary: `not quorate; ${away.length === 0 ? 'no node is reported as away' : `away: ${named}${more}`}, of ${reading.nodes.length} nodes`,
      clearsWhen: 'a majority of the votes is back',
      evidence: [reading.id],
    };
    return settled(judgement, limits.quorum, before(null), nowMs);
  },
});
