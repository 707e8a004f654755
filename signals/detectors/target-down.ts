/** A scrape target that Prometheus gets no answer from. */
import { clear, type DetectorInput, defineDetector, type Judgement, unobserved } from '../detector.ts';
import { forText } from '../for-text.ts';
import { formatDuration } from '../format.ts';
import { confirming, lasting } from '../lasting.ts';
import { newest } from '../newest.ts';
import { stateLimit } from '../state-limit.ts';

const KINDS = ['endpoint'] as const;

export const targetDown = defineDetector({
  type: 'target_down',
  title: 'Scrape target is down',
  category: 'connectivity',
  kinds: KINDS,
  reads: ['target'],
  sources: 'each',
  limits: {
    up: stateLimit({
      metric: 'up',
      kinds: KINDS,
      forMs: 10 * 60_000,
      because: "as long as Prometheus' own example alerts wait: a restart or an upgrade is over by then",
    }),
  },
  explain:
    '`up == 0` for ten minutes, by the history of Prometheus itself. What the target exports is unobserved for as long. Where its host is lost too, the finding belongs to that. A target that left the configuration of Prometheus is gone, not down.',
  detect: ({ readings, limits, before, nowMs }: DetectorInput<'target', 'up'>): Judgement => {
    const reading = newest(readings);
    if (reading === undefined) return unobserved('no_reading', 'no word of the target');
    const { up, job, instance, downSinceMs, lastError } = reading;
    if (up) return clear();
    const { up: limit } = limits;
    const what = `Prometheus gets no answer from ${instance} (job ${job})${lastError === null ? '' : `: ${lastError}`}`;
    const streak = lasting({ nowMs, before: before(null), knownSinceMs: downSinceMs, forMs: limit.forMs });
    if (!streak.counts) return confirming(what, streak, nowMs);
    return {
      state: 'raised',
      subject: null,
      severity: 'warning',
      level: null,
      summary: `${what}; for ${formatDuration(nowMs - streak.bad.sinceMs)}, ${forText(limit)}`,
      clearsWhen: 'Prometheus scrapes it again, or no longer has it as a target',
      evidence: [reading.id],
      bad: streak.bad,
    };
  },
});
