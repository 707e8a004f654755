/** Pieces of PromQL that are written from code. */

/** A string literal. */
export const quote = (text: string): string =>
  `"${text.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n')}"`;

/** A regular expression (RE2) that matches the text alone. */
export const literalPattern = (text: string): string => text.replaceAll(/[\\^$.|?*+()[\]{}]/g, '\\$&');

/** A duration; whole seconds, at least one. */
export const seconds = (ms: number): string => `${Math.max(1, Math.round(ms / 1000))}s`;

/** Writes `metric{matcher,…}` with the operator's matchers. */
export type Selector = (metric: string, ...matchers: readonly string[]) => string;

export const selectorWith =
  (match: readonly string[]): Selector =>
  (metric, ...matchers) => {
    const all = [...matchers, ...match];
    return all.length === 0 ? metric : `${metric}{${all.join(',')}}`;
  };

/** Of all series of these metrics; the answer tells them apart by `__name__`. */
export const anyOf = (select: Selector, metrics: readonly string[], ...matchers: readonly string[]): string =>
  select('', `__name__=~${quote(metrics.join('|'))}`, ...matchers);

/**
 * Share of the window in which a series really has samples, 0..1: the smaller of two views. The first counts minutes
 * in which Prometheus would show a value, which sees a target that went away or is new; the second counts samples
 * against the densest ten minutes of the last hour, which sees a Prometheus that was itself away for less than its
 * five minutes of lookback.
 */
export const observedShare = (series: string, windowMs: number): string => {
  const minutes = Math.max(1, Math.round(windowMs / 60_000));
  const window = `${minutes * 60}s`;
  const shown = `count_over_time(${series}[${window}:1m]) / ${minutes}`;
  const dense = `count_over_time(${series}[${window}]) / (max_over_time(count_over_time(${series}[10m])[1h:5m]) * ${minutes / 10})`;
  return `min by (job, instance) ((${shown} <= ${dense}) or (${dense}))`;
};

/** Only series whose newest value fulfils the condition, with their whole past. Needs the `@` modifier (2.33). */
export const whoseLast = (series: string, condition: string): string =>
  `${series} and (${series} @ end() ${condition})`;
