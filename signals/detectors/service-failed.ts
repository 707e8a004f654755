/** A systemd unit that has failed and stayed so. */
import { clear, type DetectorInput, defineDetector, type Judgement, unobserved } from '../detector.ts';
import { forText } from '../for-text.ts';
import { formatDuration } from '../format.ts';
import { confirming, lasting } from '../lasting.ts';
import { newest } from '../newest.ts';
import type { UnitReading } from '../reading.ts';
import { stateLimit } from '../state-limit.ts';

const KINDS = ['service'] as const;

/** systemd's `Result` values (systemd.service(5)) in words; what is not here is quoted. */
const RESULTS: Readonly<Record<string, string>> = {
  'exit-code': 'it exited with an error',
  signal: 'it was killed by a signal',
  'core-dump': 'it crashed',
  timeout: 'it took too long',
  watchdog: 'its watchdog was not fed',
  'oom-kill': 'it was killed for lack of memory',
  'start-limit-hit': 'it was restarted too often',
  resources: 'it could not be started for lack of resources',
  protocol: 'it did not report as its type asks for',
};

const because = ({ result }: UnitReading): string =>
  result === null || result === 'success' ? '' : `: ${RESULTS[result] ?? `result ${result}`}`;

export const serviceFailed = defineDetector({
  type: 'service_failed',
  title: 'Service has failed',
  category: 'reliability',
  kinds: KINDS,
  reads: ['unit'],
  sources: 'each',
  limits: {
    failed: stateLimit({
      metric: 'failed',
      kinds: KINDS,
      forMs: 5 * 60_000,
      because: "the time that node_exporter's own alert gives a unit to be restarted by whoever looks after it",
    }),
  },
  explain:
    'A systemd unit in the state `failed` for five minutes, by the time that systemd itself tells. A unit that runs once and is started by a timer stays failed until it next succeeds, and so does its finding. While a failed unit is being started again nothing is concluded: it was not well, and whether it is now shows when it is up. A unit that somebody stopped is not failed.',
  detect: ({ readings, limits, before, nowMs }: DetectorInput<'unit', 'failed'>): Judgement => {
    const reading = newest(readings);
    if (reading === undefined) return unobserved('no_reading', 'no unit state');
    const { activeState, subState, stateSinceMs } = reading;
    const known = before(null);
    const isStarting = activeState === 'activating' || activeState === 'deactivating';
    if (isStarting && known !== null && known.severity !== null)
      return unobserved('confirming', `it has failed and is ${activeState} now (${subState})`);
    if (activeState !== 'failed') return clear();
    const { failed: limit } = limits;
    const streak = lasting({ nowMs, before: known, knownSinceMs: stateSinceMs, forMs: limit.forMs });
    if (!streak.counts) return confirming(`failed${because(reading)}`, streak, nowMs);
    return {
      state: 'raised',
      subject: null,
      severity: 'warning',
      level: null,
      summary: `failed for ${formatDuration(nowMs - streak.bad.sinceMs)}${because(reading)}; ${forText(limit)}`,
      clearsWhen: 'it runs again or ends well, or its failure is reset (systemctl reset-failed)',
      evidence: [reading.id],
      bad: streak.bad,
      ...(reading.result === null ? {} : { details: { result: reading.result } }),
    };
  },
});
