/** What the values of a remembered metric are, by its name (signals/history.ts). */
import { formatBytes, formatPercent } from '../../../signals/format.ts';

const FORMATS: readonly (readonly [RegExp, (value: number) => string])[] = [
  [/Ratio$/, (value) => formatPercent(value * 100)],
  [/Bytes$/, formatBytes],
  [/Ms$/, (value) => `${Math.round(value)} ms`],
  [/^temperature\./, (value) => `${Math.round(value * 10) / 10} °C`],
];

export const formatMetric = (metric: string, value: number): string =>
  (FORMATS.find(([pattern]) => pattern.test(metric))?.[1] ?? plain)(value);

/** Counters and states. */
const plain = (value: number): string => String(Math.round(value * 100) / 100);
