/** A configured source that can not be read, or not wholly. */
import { clear, type DetectorInput, defineDetector, type Judgement, unobserved } from '../detector.ts';
import { formatDuration } from '../format.ts';
import { confirming, lasting } from '../lasting.ts';
import { newest } from '../newest.ts';
import { stateLimit } from '../state-limit.ts';

const KINDS = ['source'] as const;

export const sourceUnavailable = defineDetector({
  type: 'source_unavailable',
  title: 'Source can not be read',
  category: 'reliability',
  kinds: KINDS,
  reads: ['survey'],
  sources: 'each',
  limits: {
    survey: stateLimit({
      metric: 'survey',
      kinds: KINDS,
      because: 'two surveys a minute or more apart: one may have met a restart',
    }),
  },
  explain:
    'Two surveys of a configured source in a row failed, or came back with something missing. It says nothing of the things that the source watches: they are unobserved for as long, and this finding is why. What is missing for good (a tool that is not installed, a disk that sleeps) does not make a survey partial.',
  detect: ({ resource, readings, limits, before, nowMs }: DetectorInput<'survey', 'survey'>): Judgement => {
    const reading = newest(readings);
    if (reading === undefined) return unobserved('no_reading', 'it was not surveyed');
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
  },
});
