/** A configured source that can not be read, or not wholly, and a node that a source has lost. */
import { clear, type DetectorInput, defineDetector, type Judgement, unobserved } from '../detector.ts';
import { forText } from '../for-text.ts';
import { formatDuration } from '../format.ts';
import { confirming, lasting } from '../lasting.ts';
import { newest } from '../newest.ts';
import type { ReadingOf } from '../reading.ts';
import { stateLimit } from '../state-limit.ts';

const SOURCES = ['source'] as const;
const NODES = ['node'] as const;

type Input = DetectorInput<'survey' | 'node_state', 'survey' | 'nodeDown'>;

const judgeSource = ({ resource, limits, before, nowMs }: Input, reading: ReadingOf<'survey'>): Judgement => {
  const { outcome, reason } = reading;
  if (outcome === 'ok') return clear();
  const what = `${resource.name} ${outcome === 'failed' ? 'can not be read' : 'can be read in part only'}${reason === null ? '' : `: ${reason}`}`;
  const streak = lasting({ nowMs, before: before(null), forMs: limits.survey.forMs, looks: 2 });
  if (!streak.counts) return confirming(what, streak, nowMs);
  return {
    state: 'raised',
    subject: null,
    severity: 'warning',
    level: null,
    summary: `${what}; for ${formatDuration(nowMs - streak.bad.sinceMs)}`,
    clearsWhen: 'a survey of it is complete again',
    evidence: [reading.id],
    bad: streak.bad,
    details: { outcome },
  };
};

const judgeNode = ({ resource, limits, before, nowMs }: Input, reading: ReadingOf<'node_state'>): Judgement => {
  if (reading.online === null) return unobserved('stale', 'its cluster does not know whether it is there');
  if (reading.online) return clear();
  const what = `node ${resource.name} does not answer its cluster`;
  const streak = lasting({ nowMs, before: before(null), forMs: limits.nodeDown.forMs });
  if (!streak.counts) return confirming(what, streak, nowMs);
  return {
    state: 'raised',
    subject: null,
    severity: 'critical',
    level: null,
    summary: `${what}; for ${formatDuration(nowMs - streak.bad.sinceMs)}, ${forText(limits.nodeDown)}`,
    clearsWhen: 'it is online again',
    evidence: [reading.id],
    bad: streak.bad,
  };
};

export const sourceUnavailable = defineDetector({
  type: 'source_unavailable',
  title: 'Source can not be read',
  category: 'reliability',
  kinds: [...SOURCES, ...NODES],
  reads: ['survey', 'node_state'],
  sources: 'each',
  limits: {
    survey: stateLimit({
      metric: 'survey',
      kinds: SOURCES,
      because: 'two surveys a minute or more apart: one may have met a restart',
    }),
    nodeDown: stateLimit({
      metric: 'nodeDown',
      kinds: NODES,
      forMs: 2 * 60_000,
      because: 'longer than a cluster takes to agree that a node is away, shorter than anybody wants to wait',
    }),
  },
  explain:
    'Two surveys of a configured source in a row failed, or came back with something missing; or a node has not answered its cluster for two minutes, which is critical. It says nothing of the things that the source or the node has: they are unobserved for as long, and this finding is why. What is missing for good (a tool that is not installed, a disk that sleeps) does not make a survey partial.',
  detect: (input: Input): Judgement => {
    const reading = newest(input.readings);
    if (reading === undefined) return unobserved('no_reading', 'it was not surveyed');
    return reading.kind === 'survey' ? judgeSource(input, reading) : judgeNode(input, reading);
  },
});
