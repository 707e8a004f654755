/** Memory errors that the hardware counts (EDAC). */
import { riseOf } from '../counter.ts';
import { clear, type DetectorInput, defineDetector, type Judgement, unobserved } from '../detector.ts';
import { formatDuration } from '../format.ts';
import { metrics } from '../history.ts';
import { settled } from '../lasting.ts';
import { judgeLevel } from '../level.ts';
import type { LimitSpec } from '../limit.ts';
import { newest } from '../newest.ts';
import type { ReadingOf } from '../reading.ts';

const KINDS = ['host', 'node'] as const;

const DAY_MS = 86_400_000;

type Class = 'uncorrectable' | 'correctable';

/** An uncorrectable error is remembered for a week, a corrected one for a day. */
const WITHIN_MS: Readonly<Record<Class, number>> = { uncorrectable: 7 * DAY_MS, correctable: DAY_MS };

const METRIC: Readonly<Record<Class, string>> = {
  uncorrectable: metrics.memoryUncorrectable,
  correctable: metrics.memoryCorrectable,
};

const limit = (metric: string, severity: 'warning' | 'critical', because: string): LimitSpec => ({
  metric,
  kinds: KINDS,
  unit: 'count',
  direction: 'above',
  warning: severity === 'warning' ? 1 : null,
  critical: severity === 'critical' ? 1 : null,
  clearBy: 1,
  forMs: 0,
  because,
});

const judge = (
  { limits, history, before, nowMs }: DetectorInput<'memory_errors', Class>,
  reading: ReadingOf<'memory_errors'>,
  errors: Class,
): Judgement => {
  const { takenAtMs } = reading;
  const samples = history.samples(METRIC[errors]);
  const { by } = riseOf({ kind: 'counter', count: reading[errors], takenAtMs, samples, withinMs: WITHIN_MS[errors] });
  const within = formatDuration(WITHIN_MS[errors]);
  const judgement = judgeLevel({
    limit: limits[errors],
    value: by,
    before: before(errors),
    subject: errors,
    evidence: [reading.id],
    what: (value) => `${value} new ${errors} memory ${by === 1 ? 'error' : 'errors'} within ${within}`,
    also: () => [`${reading[errors]} counted by now`],
    clears: `the number of new errors within ${within}`,
  });
  return settled(judgement, limits[errors], before(errors), nowMs);
};

export const memoryErrors = defineDetector({
  type: 'memory_errors',
  title: 'Memory errors',
  category: 'reliability',
  kinds: KINDS,
  reads: ['memory_errors'],
  sources: 'each',
  limits: {
    uncorrectable: limit('memoryUncorrectable', 'critical', 'each one is lost data, or nearly; the module has to go'),
    correctable: limit(
      'memoryCorrectable',
      'warning',
      'a corrected error lost nothing, but modules that begin to fail begin with these',
    ),
  },
  explain:
    'By the rise of the error counters that EDAC keeps, never by what piled up since the boot; counters start again at a reboot, and what they show after it is new. The first look is the baseline. Where the machine has no ECC memory, or no EDAC driver is loaded, there is nothing to read and nothing is claimed.',
  detect: (input: DetectorInput<'memory_errors', Class>): readonly Judgement[] => {
    const reading = newest(input.readings);
    if (reading === undefined) return [unobserved('no_reading', 'no error counters')];
    const judged = (['uncorrectable', 'correctable'] as const)
      .filter((errors) => input.limits[errors].off === null)
      .map((errors) => judge(input, reading, errors));
    return judged.length === 0 ? [clear()] : judged;
  },
});
