/** A boot that nobody asked for: before it the machine did not shut down in order. */
import { clear, defineDetector, type Judgement, unobserved } from '../detector.ts';
import { formatDuration } from '../format.ts';
import { newest } from '../newest.ts';
import { stateLimit } from '../state-limit.ts';

const KINDS = ['host', 'node', 'vm'] as const;

/** It stays a finding for a day, so that whoever looks in the morning sees it. */
const SHOWN_MS = 86_400_000;

export const unexpectedReboot = defineDetector({
  type: 'unexpected_reboot',
  title: 'Unexpected reboot',
  category: 'reliability',
  kinds: KINDS,
  reads: ['boot'],
  sources: 'each',
  limits: {
    reboot: stateLimit({
      metric: 'reboot',
      kinds: KINDS,
      because: 'an event: power loss, a crash, a watchdog or a reset',
    }),
  },
  explain:
    "The end of the journal of the boot before the present one shows no orderly shutdown. Raised for a boot of the last day, also at patrold's first look: the evidence is the log, not a comparison. Where the log of the boot before is not kept (a volatile journal) it is unobserved for that day.",
  detect: ({ readings, lastSurveyAtMs, nowMs }): Judgement => {
    const reading = newest(readings);
    if (reading === undefined) return unobserved('no_reading', 'no boot reading');
    const { bootedAtMs, previousEndedOrderly, previousEndedAtMs } = reading;
    const upMs = nowMs - bootedAtMs;
    // A boot that no survey has seen yet counts however long ago it was.
    const isNews = upMs < SHOWN_MS || (lastSurveyAtMs !== null && bootedAtMs > lastSurveyAtMs);
    if (!isNews || previousEndedOrderly === true) return clear();
    if (previousEndedOrderly === null)
      return unobserved('not_supported', 'how the boot before this one ended is not recorded');
    const lost =
      previousEndedAtMs === null
        ? []
        : [`the log before it breaks off ${formatDuration(bootedAtMs - previousEndedAtMs)} earlier`];
    return {
      state: 'raised',
      subject: null,
      severity: 'warning',
      level: null,
      summary: [`booted ${formatDuration(upMs)} ago without an orderly shutdown before it`, ...lost].join('; '),
      clearsWhen: `it has been up for ${formatDuration(SHOWN_MS)}`,
      evidence: [reading.id],
      sinceMs: bootedAtMs,
    };
  },
});
