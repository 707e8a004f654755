/** CPU use that stays above the limit. */
import { clear, defineDetector, type Judgement, unobserved } from '../detector.ts';
import { formatDuration, formatPercent } from '../format.ts';
import { metrics } from '../history.ts';
import { boundAt, severityAt } from '../hysteresis.ts';
import { OBSERVED_AT_LEAST, sustained } from '../window.ts';

export const highCpu = defineDetector({
  type: 'high_cpu',
  title: 'CPU use is high',
  category: 'performance',
  kinds: ['host', 'node', 'vm', 'container'],
  reads: ['cpu'],
  sources: 'each',
  limits: {
    cpu: {
      metric: 'cpu',
      kinds: ['host', 'node', 'vm', 'container'],
      unit: 'percent',
      direction: 'above',
      warning: 70,
      critical: null,
      clearBy: 5,
      forMs: 15 * 60_000,
      because: "patrold's fallback; a warning only, since a busy CPU is use, not a fault",
    },
  },
  explain:
    'The time-weighted mean of busy CPU time over the window. Waiting for I/O and time stolen by the hypervisor are not busy time and are named apart.',
  detect: ({ readings, limits, history, before, nowMs }): Judgement => {
    const reading = readings[0];
    if (reading === undefined) return unobserved('no_reading', 'no CPU reading');
    const { cpu: limit } = limits;
    const past = sustained(reading, reading.busyRatio, history.samples(metrics.cpu), limit.forMs);
    if (past === null || past.observedRatio < OBSERVED_AT_LEAST) {
      return {
        state: 'unobserved',
        subject: null,
        code: 'warming_up',
        reason: `${formatDuration((past?.observedRatio ?? 0) * limit.forMs)} of ${formatDuration(limit.forMs)} observed`,
        retryAtMs: nowMs + limit.forMs * (1 - (past?.observedRatio ?? 0)),
      };
    }
    const usedPercent = past.mean * 100;
    const severity = severityAt(limit, usedPercent, before(null)?.severity ?? null);
    const bound = severity === null ? null : boundAt(limit, severity);
    if (severity === null || bound === null) return clear();
    const apart = [
      reading.iowaitRatio !== null && reading.iowaitRatio >= 0.05
        ? `${formatPercent(reading.iowaitRatio * 100)} waiting for I/O`
        : null,
      reading.stealRatio !== null && reading.stealRatio >= 0.05
        ? `${formatPercent(reading.stealRatio * 100)} stolen by the hypervisor`
        : null,
    ].filter((part) => part !== null);
    return {
      state: 'raised',
      subject: null,
      severity,
      level: { value: usedPercent, limit: bound, unit: 'percent' },
      summary: `CPU ${formatPercent(usedPercent)} busy over ${formatDuration(limit.forMs)}, limit ${formatPercent(bound.trigger)}${apart.map((part) => `; ${part}`).join('')}`,
      clearsWhen: `the mean over ${formatDuration(limit.forMs)} is back at ${formatPercent(bound.clear)} or less`,
      evidence: [reading.id],
    };
  },
});
