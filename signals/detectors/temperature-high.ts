/** A device that is too hot for minutes. */
import { type DetectorInput, defineDetector, isWorse, type Judgement, unobserved } from '../detector.ts';
import { formatDuration, formatValue } from '../format.ts';
import { metrics } from '../history.ts';
import { judgeLevel } from '../level.ts';
import type { LimitSpec } from '../limit.ts';
import { newest, newestBy } from '../newest.ts';
import type { ReadingOf } from '../reading.ts';
import { isTooHot } from '../smart/nvme-warning.ts';
import { type TemperatureLimits, temperatureLimit } from '../temperature/sensor-limit.ts';
import { OBSERVED_AT_LEAST, sustained, warmingUp } from '../window.ts';

const DISK = ['disk'] as const;
const KINDS = ['disk', 'host', 'node'] as const;

const limit = (
  metric: string,
  kinds: LimitSpec['kinds'],
  [warning, critical]: readonly [number | null, number | null],
  because: string,
): LimitSpec => ({
  metric,
  kinds,
  unit: 'celsius',
  direction: 'above',
  warning,
  critical,
  clearBy: 3,
  forMs: 5 * 60_000,
  because,
});

type Input = DetectorInput<'temperature' | 'smart', keyof TemperatureLimits>;
type Temperature = ReadingOf<'temperature'>;

/** A disk has one temperature, whoever reads it; a machine has many sensors, each a subject. */
const subjectOf = ({ resource }: Input, { sensor }: Temperature): string | null =>
  resource.kind === 'disk' ? null : sensor;

/** Null: no limit is known for it. */
const judgeSensor = (input: Input, reading: Temperature): Judgement | null => {
  const effective = temperatureLimit(input.limits, reading);
  if (effective === null) return null;
  const { history, before, nowMs } = input;
  const subject = subjectOf(input, reading);
  const past = sustained(
    reading,
    reading.celsius,
    history.samples(metrics.temperature(reading.sensor)),
    effective.forMs,
  );
  if (past === null || past.observedRatio < OBSERVED_AT_LEAST)
    return warmingUp(past?.observedRatio ?? 0, effective.forMs, nowMs, subject);
  const over = formatDuration(effective.forMs);
  return judgeLevel({
    limit: effective,
    value: past.mean,
    before: before(subject),
    subject,
    evidence: [reading.id],
    what: (value) => `${subject === null ? '' : `${subject}: `}${value} over ${over}`,
    also: () => [`${formatValue(reading.celsius, 'celsius')} now`],
    clears: `the mean over ${over}`,
  });
};

/** The device's own word, where its bit is set: whatever our sensors and limits say, that is at least a warning. */
const judgeBit = (reading: ReadingOf<'smart'> | undefined): Judgement | null =>
  reading === undefined || !isTooHot(reading.nvme)
    ? null
    : {
        state: 'raised',
        subject: null,
        severity: 'warning',
        level: null,
        summary: 'the drive itself says that its temperature is outside its limits (NVMe critical warning, bit 1)',
        clearsWhen: 'the drive takes that back',
        evidence: [reading.id],
      };

const worseOf = (a: Judgement, b: Judgement): Judgement => {
  if (a.state === 'raised' && b.state === 'raised') return isWorse(b.severity, a.severity) ? b : a;
  return a.state === 'raised' ? a : b;
};

export const temperatureHigh = defineDetector({
  type: 'temperature_high',
  title: 'Too hot',
  category: 'reliability',
  kinds: KINDS,
  reads: ['temperature', 'smart'],
  sources: 'each',
  limits: {
    any: limit(
      'temperature',
      KINDS,
      [null, null],
      'no default: written by the operator it goes before everything else, of any device',
    ),
    hdd: limit('temperatureHdd', DISK, [55, 60], 'most drives are specified up to 60 °C; wear grows well before it'),
    ssd: limit('temperatureSsd', DISK, [60, 70], 'SATA SSDs are specified up to 70 °C'),
    nvme: limit('temperatureNvme', DISK, [70, 80], 'NVMe drives slow themselves down between 70 and 85 °C'),
  },
  explain:
    "The mean over five minutes against what the operator wrote, else the device's own trip points, else the default of its class. Sensors of a machine each are a finding of their own (`temperature_high:<sensor>`); those without a trip point of their own are judged only against a limit that the operator wrote. An NVMe drive that sets the temperature bit of its critical warning is believed at once.",
  detect: (input: Input): readonly Judgement[] => {
    const temperatures = input.readings.filter((reading) => reading.kind === 'temperature');
    const smart = newest(input.readings.filter((reading) => reading.kind === 'smart'));
    const judged = [...newestBy(temperatures, ({ sensor }) => sensor).values()]
      .map((reading) => judgeSensor(input, reading))
      .filter((judgement) => judgement !== null);
    const bit = judgeBit(smart);
    if (input.resource.kind !== 'disk') return judged;
    const [first, ...others] = bit === null ? judged : [bit, ...judged];
    if (first !== undefined) return [others.reduce(worseOf, first)];
    const isExpected = temperatures.length === 0 && input.resource.expects.includes('temperature');
    return isExpected
      ? [unobserved('no_reading', 'the drive does not say that it is too hot, but its temperature was not read')]
      : [];
  },
});
