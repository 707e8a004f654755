/** Ceph says that it is not well. */
import { clear, type DetectorInput, defineDetector, type Judgement, unobserved } from '../detector.ts';
import { formatDuration, formatOrigin } from '../format.ts';
import { confirming, lasting } from '../lasting.ts';
import { newest } from '../newest.ts';
import type { CephReading } from '../reading.ts';
import { stateLimit } from '../state-limit.ts';

const KINDS = ['cluster', 'node'] as const;

/** Checks that are told in a summary. */
const NAMED = 4;

type Input = DetectorInput<'ceph', 'warning' | 'error'>;

/** By the checks that nobody has muted; where none is told, by what Ceph says of the whole. */
const healthOf = ({ health, checks }: CephReading): CephReading['health'] => {
  if (health === 'HEALTH_OK' || checks.length === 0) return health;
  const heard = checks.filter(({ muted }) => !muted);
  if (heard.some(({ severity }) => severity === 'HEALTH_ERR')) return 'HEALTH_ERR';
  return heard.length > 0 ? 'HEALTH_WARN' : 'HEALTH_OK';
};

const checksText = ({ checks }: CephReading): string => {
  const heard = checks
    .filter(({ muted }) => !muted)
    .toSorted((a, b) => Number(b.severity === 'HEALTH_ERR') - Number(a.severity === 'HEALTH_ERR'));
  const named = heard.slice(0, NAMED).map(({ name, summary }) => (summary === '' ? name : `${name} (${summary})`));
  if (heard.length > NAMED) named.push(`${heard.length - NAMED} more`);
  return named.length === 0 ? '' : `: ${named.join(', ')}`;
};

export const cephUnhealthy = defineDetector({
  type: 'ceph_unhealthy',
  title: 'Ceph is not healthy',
  category: 'reliability',
  kinds: KINDS,
  reads: ['ceph'],
  sources: 'each',
  limits: {
    warning: stateLimit({
      metric: 'cephWarning',
      kinds: KINDS,
      forMs: 15 * 60_000,
      because: "as long as Ceph's own alerts wait: restarts and scrubs pass",
    }),
    error: stateLimit({
      metric: 'cephError',
      kinds: KINDS,
      forMs: 5 * 60_000,
      because: "as long as Ceph's own alerts wait",
    }),
  },
  explain:
    'HEALTH_WARN for a quarter of an hour is a warning, HEALTH_ERR for five minutes critical, at once where the warning is known already; the checks behind it are named. Checks that an operator has muted in Ceph do not count.',
  detect: ({ readings, limits, before, nowMs }: Input): Judgement => {
    const reading = newest(readings);
    if (reading === undefined) return unobserved('no_reading', 'nothing says how Ceph is');
    const health = healthOf(reading);
    if (health === 'HEALTH_OK') return clear();
    const isError = health === 'HEALTH_ERR';
    const limit = isError ? limits.error : limits.warning;
    const known = before(null);
    const streak = lasting({ nowMs, before: known, forMs: limit.forMs });
    const what = `${health}${checksText(reading)}`;
    if (limit.off !== null) return clear();
    if (!streak.counts) return confirming(what, streak, nowMs);
    return {
      state: 'raised',
      subject: null,
      severity: isError ? 'critical' : 'warning',
      level: null,
      summary: `${what}; for ${formatDuration(nowMs - streak.bad.sinceMs)}, limit ${formatDuration(limit.forMs)} (${formatOrigin(limit.forOrigin)})`,
      clearsWhen: 'Ceph is HEALTH_OK again, or what is left is muted in it',
      evidence: [reading.id],
      bad: streak.bad,
    };
  },
});
