/** Writes history in OpenMetrics text, as `promtool tsdb create-blocks-from openmetrics` reads it. */

export interface HistorySpan {
  readonly fromMs: number;
  readonly toMs: number;
  readonly stepMs: number;
}

/** A value of one series at an instant; null: no sample there. */
export type ValueAt = (atMs: number) => number | null;

export interface History {
  /** Adds a series, its value constant or by time. */
  add(series: string, value: number | ValueAt, span?: Partial<HistorySpan>): History;
  /** Adds every series of a metrics page, each with the value it has there. */
  page(text: string, labels: Readonly<Record<string, string>>, span?: Partial<HistorySpan>): History;
  text(): string;
}

const SAMPLE = /^([a-zA-Z_:][\w:]*)(?:\{(.*)\})? (\S+)$/;

const withLabels = (name: string, own: string | undefined, labels: Readonly<Record<string, string>>): string => {
  const more = Object.entries(labels).map(([label, value]) => `${label}="${value}"`);
  const all = [...(own === undefined || own === '' ? [] : [own]), ...more];
  return all.length === 0 ? name : `${name}{${all.join(',')}}`;
};

/** Series are sorted by metric, since OpenMetrics wants the samples of one metric together. */
export const createHistory = (whole: HistorySpan): History => {
  const byMetric = new Map<string, string[]>();
  const history: History = {
    add: (series, value, span = {}) => {
      const { fromMs, toMs, stepMs } = { ...whole, ...span };
      const name = series.split('{', 1)[0] ?? series;
      const lines = byMetric.get(name) ?? [];
      for (let atMs = fromMs; atMs <= toMs; atMs += stepMs) {
        const number = typeof value === 'number' ? value : value(atMs);
        if (number !== null) lines.push(`${series} ${number} ${atMs / 1000}`);
      }
      byMetric.set(name, lines);
      return history;
    },
    page: (text, labels, span = {}) => {
      for (const line of text.split('\n')) {
        const [, name, own, value] = SAMPLE.exec(line.trim()) ?? [];
        if (name !== undefined && !line.startsWith('#'))
          history.add(withLabels(name, own, labels), Number(value), span);
      }
      return history;
    },
    text: () => `${[...byMetric.values()].flat().join('\n')}\n# EOF\n`,
  };
  return history;
};
