/** The scrape targets of one survey: which answered, and when. */
import { type Labels, targetKey } from './answer.ts';
import { type Answers, label, lastValue } from './answers.ts';

export interface Target {
  readonly key: string;
  readonly job: string;
  readonly instance: string;
  readonly labels: Labels;
  readonly up: boolean;
  /** When it was last scraped, by Prometheus' clock; null: not told. */
  readonly scrapedAtMs: number | null;
}

export interface Targets {
  readonly all: readonly Target[];
  /** Undefined for series that came another way: federation, remote write, a push gateway. */
  of(labels: Labels): Target | undefined;
  byKey(key: string): Target | undefined;
}

export const buildTargets = (answers: Answers): Targets => {
  const scraped = new Map(
    answers.series('targets_scraped').map((series) => [targetKey(series.labels), lastValue(series) * 1000]),
  );
  const byKey = new Map<string, Target>();
  for (const series of answers.series('targets_up')) {
    const { labels } = series;
    const key = targetKey(labels);
    const target = {
      key,
      job: label(labels, 'job'),
      instance: label(labels, 'instance'),
      labels,
      up: lastValue(series) === 1,
      scrapedAtMs: scraped.get(key) ?? null,
    };
    const known = byKey.get(key);
    // Of two that share job and instance the one that is down counts: what can't be told apart must not look healthy.
    if (known === undefined || (known.up && !target.up)) byKey.set(key, target);
  }
  return { all: [...byKey.values()], of: (labels) => byKey.get(targetKey(labels)), byKey: (key) => byKey.get(key) };
};

/**
 * The host in an instance: `nas1:9100` -> `nas1`, `[fe80::1]:9100` -> `fe80::1`, `http://a.b/metrics` -> `a.b`; every
 * loopback address is `localhost`.
 */
export const hostPartOf = (instance: string): string => {
  const hostPart = partBeforePort(instance);
  return LOOPBACK.test(hostPart) ? LOCALHOST : hostPart;
};

const partBeforePort = (instance: string): string => {
  if (instance.includes('://')) return URL.canParse(instance) ? new URL(instance).hostname.toLowerCase() : instance;
  const bracketed = /^\[([^\]]+)\](?::\d+)?$/.exec(instance);
  if (bracketed?.[1] !== undefined) return bracketed[1].toLowerCase();
  // More colons than one: an address of IPv6 without a port.
  return (/^([^:]*):\d+$/.exec(instance)?.[1] ?? instance).toLowerCase();
};

const LOOPBACK = /^(?:localhost|127(?:\.\d{1,3}){3}|::1|0\.0\.0\.0)$/;

/** Names a machine only from where Prometheus runs. */
export const LOCALHOST = 'localhost';
