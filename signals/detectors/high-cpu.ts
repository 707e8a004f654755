/** CPU use that stays above the limit. */
import { defineDetector, type Judgement, unobserved } from '../detector.ts';
import { formatDuration, formatPercent } from '../format.ts';
import { metrics } from '../history.ts';
import { judgeLevel } from '../level.ts';
import { newest } from '../newest.ts';
import type { CpuReading } from '../reading.ts';
import { skipStoppedGuest } from '../scope.ts';
import { OBSERVED_AT_LEAST, sustained, warmingUp } from '../window.ts';

/** Below this share waiting and stolen time are not worth a word. */
const WORTH_SAYING = 0.05;

const KINDS = ['host', 'node', 'vm', 'container'] as const;

const notBusy = ({ iowaitRatio, stealRatio }: CpuReading): readonly string[] => [
  ...(iowaitRatio !== null && iowaitRatio >= WORTH_SAYING
    ? [`apart from that ${formatPercent(iowaitRatio * 100)} waiting for I/O`]
    : []),
  ...(stealRatio !== null && stealRatio >= WORTH_SAYING
    ? [`apart from that ${formatPercent(stealRatio * 100)} stolen by the hypervisor`]
    : []),
];

export const highCpu = defineDetector({
  type: 'high_cpu',
  title: 'CPU use is high',
  category: 'performance',
  kinds: KINDS,
  reads: ['cpu'],
  sources: 'each',
  limits: {
    cpu: {
      metric: 'cpu',
      kinds: KINDS,
      unit: 'percent',
      direction: 'above',
      warning: 70,
      critical: null,
      clearBy: 5,
      forMs: 15 * 60_000,
      because: 'the product default of 70 %; a warning only, since a busy CPU is use, not a fault',
    },
  },
  explain:
    'The time-weighted mean of busy CPU time over the window, relative to the CPUs that the machine may use. Time spent waiting for I/O, and time that the hypervisor gave to others, is not busy time: it is named apart. Until the window is at least 80 % observed nothing is concluded. It proves load, not that the load is wrong.',
  skip: skipStoppedGuest,
  detect: ({ readings, limits, history, before, nowMs }): Judgement => {
    const reading = newest(readings);
    if (reading === undefined) return unobserved('no_reading', 'no CPU reading');
    const { cpu: limit } = limits;
    const past = sustained(reading, reading.busyRatio, history.samples(metrics.cpu), limit.forMs);
    if (past === null || past.observedRatio < OBSERVED_AT_LEAST)
      return warmingUp(past?.observedRatio ?? 0, limit.forMs, nowMs);
    const over = formatDuration(limit.forMs);
    return judgeLevel({
      limit,
      value: past.mean * 100,
      before: before(null),
      evidence: [reading.id],
      what: (value) => `CPU ${value} busy over ${over}`,
      also: () => notBusy(reading),
      clears: `the mean over ${over}`,
    });
  },
});
