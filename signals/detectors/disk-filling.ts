/** Space that will be used up soon, if it goes on like this. */
import { clear, defineDetector, type Judgement, unobserved } from '../detector.ts';
import { formatBytes, formatDuration, formatPercent } from '../format.ts';
import type { LevelSeverity } from '../hysteresis.ts';
import { settled } from '../lasting.ts';
import { judgeLevel } from '../level.ts';
import type { EffectiveLimit } from '../limit.ts';
import { newest } from '../newest.ts';
import type { CapacityReading, FilesystemReading } from '../reading.ts';
import { fillingOf, isNeverWritten, skipSpace, usedPercent } from '../space/space.ts';
import { TREND_AT_LEAST_MS } from '../space/trend.ts';

const KINDS = ['filesystem', 'storage', 'pool', 'datastore'] as const;

/** A volume with this much room is not filling, whatever the slope; once raised it holds a little further down. */
const USED_AT_LEAST_PERCENT = 60;
const USED_HELD_PERCENT = 55;

/** Critical needs little room too. */
const FREE_FOR_CRITICAL_PERCENT = 20;
const FREE_HELD_PERCENT = 25;

/** A forecast reaches at most twice as far ahead as it looks back. */
const SPANS_AHEAD = 2;

/** A raised finding holds while a forecast reaches this far: the cap is no reason to call it over. */
const SPANS_AHEAD_HELD = 4;

/** Beyond this no forecast matters. */
const reachHours = ({ warning, critical }: EffectiveLimit): number =>
  Math.max(warning?.clear ?? 0, critical?.clear ?? 0);

const roomLeft = ({ availableBytes, sizeBytes }: FilesystemReading | CapacityReading): string =>
  `${formatBytes(availableBytes)} of ${formatBytes(sizeBytes)} left`;

export const diskFilling = defineDetector({
  type: 'disk_filling',
  title: 'Space will run out soon',
  category: 'capacity',
  kinds: KINDS,
  reads: ['filesystem', 'capacity'],
  sources: 'each',
  limits: {
    timeToFull: {
      metric: 'timeToFull',
      kinds: KINDS,
      unit: 'hours',
      direction: 'below',
      warning: 7 * 24,
      critical: 24,
      clearBy: 24,
      forMs: 0,
      because: 'a week leaves a weekend in which nobody looks, a day is the last chance to act',
    },
  },
  explain:
    'A robust slope (Theil-Sen, the median of the slopes of all pairs) through the samples of used space, over the last day, the last three and a half days and the last fortnight; the soonest forecast counts. It needs a day of samples without a pause of more than six and a half hours and without a resize, looks at most twice as far ahead as it looked back, starts above 60 % used, and asks whether it has still grown lately: a single jump is no trend. Critical needs less than 20 % free too. It proves a trend, not that the trend goes on.',
  skip: skipSpace,
  detect: ({ readings, limits, history, before, nowMs }): Judgement | readonly Judgement[] => {
    const reading = newest(readings);
    if (reading === undefined) return unobserved('no_reading', 'no space reading');
    const { timeToFull: limit } = limits;
    const known = before(null);
    const raisedBefore = known !== null && known.severity !== null;
    const used = usedPercent(reading);
    if (used <= (raisedBefore ? USED_HELD_PERCENT : USED_AT_LEAST_PERCENT)) return clear();
    if (known === null && isNeverWritten(reading, history)) return [];
    const spansAhead = raisedBefore ? SPANS_AHEAD_HELD : SPANS_AHEAD;
    const answer = fillingOf({ reading, history, withinHours: reachHours(limit), spansAhead });
    if (answer.state === 'steady') return clear();
    if (answer.state === 'unknown') {
      const reason = `${formatDuration(answer.observedMs)} of ${formatDuration(TREND_AT_LEAST_MS)} without a gap or a resize observed`;
      const retryAtMs = reading.takenAtMs + TREND_AT_LEAST_MS - answer.observedMs;
      return { state: 'unobserved', subject: null, code: 'warming_up', reason, retryAtMs };
    }
    const { hours, bytesPerHour, spanMs } = answer.filling;
    const freePercent = 100 - used;
    const roomy = freePercent >= (known?.severity === 'critical' ? FREE_HELD_PERCENT : FREE_FOR_CRITICAL_PERCENT);
    const growth = `${formatBytes(bytesPerHour * 24)} a day over the last ${formatDuration(spanMs)}`;
    const judgement = judgeLevel({
      limit,
      value: hours,
      before: known,
      evidence: [reading.id],
      what: (left) => `full in ${left} at ${growth}`,
      also: () => [`${formatPercent(used)} used, ${roomLeft(reading)}`],
      clears: 'the time until it is full',
      cap: (severity): LevelSeverity => (severity === 'critical' && roomy ? 'warning' : severity),
    });
    return settled(judgement, limit, known, nowMs);
  },
});
