/** A container whose own health check fails. */
import { clear, type DetectorInput, defineDetector, type Judgement, unobserved } from '../detector.ts';
import { forText } from '../for-text.ts';
import { formatDuration } from '../format.ts';
import { confirming, lasting } from '../lasting.ts';
import { newest } from '../newest.ts';
import { skipStoppedGuest } from '../scope.ts';
import { stateLimit } from '../state-limit.ts';

const KINDS = ['container'] as const;

export const containerUnhealthy = defineDetector({
  type: 'container_unhealthy',
  title: 'Container is unhealthy',
  category: 'reliability',
  kinds: KINDS,
  reads: ['container'],
  sources: 'each',
  limits: {
    unhealthy: stateLimit({
      metric: 'unhealthy',
      kinds: KINDS,
      forMs: 5 * 60_000,
      because: 'beyond the retries of the health check itself: long enough for a hiccup of what it depends on',
    }),
  },
  explain:
    'The health check that the image or the operator gave the container has failed for five minutes, while it runs and is not paused. The engine tells since when. A container without a health check is not judged. After a restart the check has yet to give its first answer: until then an unhealthy container is neither well nor unwell.',
  skip: skipStoppedGuest,
  detect: ({
    readings,
    limits,
    before,
    nowMs,
  }: DetectorInput<'container', 'unhealthy'>): Judgement | readonly Judgement[] => {
    const reading = newest(readings);
    if (reading === undefined) return unobserved('no_reading', 'no container state');
    const { state, health, unhealthySinceMs, lastProbeOutput } = reading;
    if (state !== 'running' || health === 'none') return [];
    const known = before(null);
    if (health === 'starting' && known !== null && known.severity !== null)
      return unobserved('confirming', 'its health check has not answered since it started');
    if (health !== 'unhealthy') return clear();
    const { unhealthy: limit } = limits;
    const said = lastProbeOutput === null ? '' : `; the check said: ${lastProbeOutput}`;
    const streak = lasting({ nowMs, before: known, knownSinceMs: unhealthySinceMs, forMs: limit.forMs });
    if (!streak.counts) return confirming(`unhealthy${said}`, streak, nowMs);
    return {
      state: 'raised',
      subject: null,
      severity: 'warning',
      level: null,
      summary: `unhealthy for ${formatDuration(nowMs - streak.bad.sinceMs)}, ${forText(limit)}${said}`,
      clearsWhen: 'its health check succeeds again',
      evidence: [reading.id],
      bad: streak.bad,
    };
  },
});
