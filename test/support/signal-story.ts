/** One resource looked at again and again by one detector, with what a daemon would remember in between. */
import { expect } from 'vitest';
import type { AnyDetector, Severity, Verdict, VerdictMemory } from '../../signals/detector.ts';
import { type Evaluation, evaluate, type ResourceGap, type World } from '../../signals/evaluate.ts';
import { type History, remember, type Sample } from '../../signals/history.ts';
import { type AlertSettings, createLimitResolver, noSettings } from '../../signals/limits.ts';
import type { Reading, ReadingBody } from '../../signals/reading.ts';
import { asResourceId, type Resource, type SourceId } from '../../signals/resource.ts';

export const SECOND_MS = 1_000;
export const MINUTE_MS = 60_000;
export const HOUR_MS = 3_600_000;
export const DAY_MS = 86_400_000;
export const GIB = 1024 ** 3;

/** A Tuesday noon; stories begin here. */
export const START_MS = Date.UTC(2026, 2, 10, 12);

export const resourceOf = (kind: Resource['kind'], more: Partial<Resource> = {}): Resource => ({
  id: asResourceId(`host/${kind}`),
  kind,
  name: kind,
  parentId: null,
  status: 'running',
  sourceIds: ['host'],
  tags: [],
  expects: [],
  facts: {},
  presence: 'observed',
  ...more,
});

export interface Stamp {
  readonly sourceId?: SourceId;
  /** How long ago it was taken. */
  readonly ageMs?: number;
}

export type Told = ReadingBody & { readonly stamp?: Stamp };

export interface StoryInput {
  readonly detector: AnyDetector;
  readonly resource: Resource;
  readonly settings?: AlertSettings;
}

export interface LookInput {
  readonly gaps?: readonly ResourceGap[];
  readonly lastSurveyAtMs?: number | null;
}

export interface Looked extends Evaluation {
  /** The only verdict. */
  readonly verdict: Verdict;
  /** `raised:critical`, `clear`, `unobserved:stale`, by subject (`''`: none). */
  readonly states: Readonly<Record<string, string>>;
}

const stateOf = (verdict: Verdict): string => {
  switch (verdict.state) {
    case 'raised':
      return `raised:${verdict.signal.severity}`;
    case 'clear':
      return 'clear';
    case 'unobserved':
      return `unobserved:${verdict.code}`;
  }
};

const expectWellFormed = ({ verdicts, failures }: Evaluation, nowMs: number): void => {
  expect(failures).toEqual([]);
  const keys = verdicts.map(({ detector, subject }) => `${detector}:${subject}`);
  expect(new Set(keys).size).toBe(keys.length);
  for (const verdict of verdicts) {
    if (verdict.state !== 'raised') continue;
    const { summary, clearsWhen, evidence, level, sinceMs } = verdict.signal;
    expect(summary).not.toMatch(/NaN|undefined|Infinity|null|\[object/);
    expect(clearsWhen).not.toMatch(/NaN|undefined|Infinity|null|\[object/);
    expect(summary.length).toBeGreaterThan(5);
    expect(clearsWhen.length).toBeGreaterThan(5);
    expect(evidence.length).toBeGreaterThan(0);
    expect(sinceMs).toBeLessThanOrEqual(nowMs);
    if (level?.limit != null) expect(level.limit.origin).toBeDefined();
  }
};

export interface Story {
  readonly nowMs: number;
  wait(ms: number): Story;
  /** What the past was before the story began, or what a source delivers of it. */
  past(metric: string, samples: readonly (readonly [atMs: number, value: number, windowMs?: number])[]): Story;
  look(readings: readonly Told[], input?: LookInput): Looked;
  /** As a restart does: memory goes through the store and back. */
  restart(): Story;
  memory(subject?: string | null): VerdictMemory | null;
}

export const startStory = ({ detector, resource, settings = noSettings }: StoryInput): Story => {
  let nowMs = START_MS;
  let looks = 0;
  let memories = new Map<string, VerdictMemory>();
  const samples = new Map<string, Sample[]>();
  const history: History = { of: () => ({ samples: (metric) => samples.get(metric) ?? [] }) };
  const limits = createLimitResolver(settings);

  const stamped = ({ stamp = {}, ...body }: Told, index: number): Reading =>
    ({
      ...body,
      id: `e${looks}-${index}`,
      resourceId: resource.id,
      sourceId: stamp.sourceId ?? resource.sourceIds[0] ?? 'host',
      takenAtMs: nowMs - (stamp.ageMs ?? 0),
      receivedAtMs: nowMs,
    }) as Reading;

  const keep = (readings: readonly Reading[]): void => {
    for (const reading of readings) {
      for (const { metric, value, windowMs, keep: how } of remember(reading)) {
        const known = samples.get(metric) ?? [];
        const last = known.at(-1);
        const isNews = last === undefined || last.value !== value || reading.takenAtMs - last.atMs >= DAY_MS;
        if (how === 'every' || isNews) samples.set(metric, [...known, { atMs: reading.takenAtMs, value, windowMs }]);
      }
    }
  };

  const story: Story = {
    get nowMs() {
      return nowMs;
    },
    wait: (ms) => {
      nowMs += ms;
      return story;
    },
    past: (metric, values) => {
      const added = values.map(([atMs, value, windowMs = 0]) => ({ atMs, value, windowMs }));
      samples.set(
        metric,
        [...(samples.get(metric) ?? []), ...added].toSorted((a, b) => a.atMs - b.atMs),
      );
      return story;
    },
    look: (told, { gaps = [], lastSurveyAtMs = null } = {}) => {
      looks += 1;
      const readings = told.map(stamped);
      const world: World = {
        resources: [resource],
        readingsOf: () => readings,
        gapsOf: () => gaps,
        lastSurveyAtMs: () => lastSurveyAtMs,
      };
      const of = (): ReadonlyMap<string, VerdictMemory> | undefined => (memories.size === 0 ? undefined : memories);
      const evaluation = evaluate({ world, detectors: [detector], limits, history, memories: { of }, nowMs });
      expectWellFormed(evaluation, nowMs);
      for (const { subject, memory } of evaluation.verdicts) {
        if (memory === null) memories.delete(subject ?? '');
        else memories.set(subject ?? '', memory);
      }
      keep(readings);
      return {
        ...evaluation,
        get verdict() {
          const [first] = evaluation.verdicts;
          expect(evaluation.verdicts).toHaveLength(1);
          if (first === undefined) throw new Error('no verdict');
          return first;
        },
        states: Object.fromEntries(evaluation.verdicts.map((verdict) => [verdict.subject ?? '', stateOf(verdict)])),
      };
    },
    restart: () => {
      memories = new Map(JSON.parse(JSON.stringify([...memories])) as [string, VerdictMemory][]);
      return story;
    },
    memory: (subject = null) => memories.get(subject ?? '') ?? null,
  };
  return story;
};

/** The signal of the only verdict. */
export const signalOf = ({ verdict }: Pick<Looked, 'verdict'>) => {
  if (verdict.state !== 'raised') throw new Error(`it is ${stateOf(verdict)}`);
  return verdict.signal;
};

const RANKS: Readonly<Record<string, number>> = { info: 1, watch: 2, warning: 3, critical: 4 } satisfies Record<
  Severity,
  number
>;

/** Ascending; clear, unobserved and out of scope are 0. */
export const rankOf = ({ states }: Pick<Looked, 'states'>, subject = ''): number =>
  RANKS[(states[subject] ?? '').replace('raised:', '')] ?? 0;

export const settingsOf = (
  kind: Resource['kind'],
  metric: string,
  setting: Record<string, unknown>,
): AlertSettings => ({
  kinds: { [kind]: { [metric]: { path: `alerts.${kind}.${metric}`, ...setting } } },
  overrides: [],
});
