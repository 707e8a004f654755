/** How fast readings become verdicts: mixed kinds, limits resolved, history present, on one core. */
import { detectors } from '../signals/detectors/index.ts';
import { evaluate, type World } from '../signals/evaluate.ts';
import type { History, Sample } from '../signals/history.ts';
import { createLimitResolver } from '../signals/limits.ts';
import type { Reading, ReadingBody, ReadingKind } from '../signals/reading.ts';
import { asResourceId, type Resource, type ResourceKind } from '../signals/resource.ts';
import { median } from './machine.ts';

const NOW_MS = Date.UTC(2026, 0, 15);
const MINUTE_MS = 60_000;
const GIB = 2 ** 30;
const ROUNDS = 9;

interface Sort {
  readonly kind: ResourceKind;
  readonly bodies: (index: number) => readonly ReadingBody[];
}

const averaged = { windowMs: 15 * MINUTE_MS, observedRatio: 1 };

/** What a few thousand machines would deliver, every fiftieth with a fault. */
const SORTS: readonly Sort[] = [
  {
    kind: 'host',
    bodies: (index) => [
      { kind: 'cpu', ...averaged, busyRatio: index % 50 === 0 ? 0.95 : 0.2, iowaitRatio: 0.01, stealRatio: 0 },
      {
        kind: 'memory',
        ...averaged,
        totalBytes: 16 * GIB,
        unavailableBytes: 6 * GIB,
        reclaimableArcBytes: null,
        excludesCache: true,
      },
      { kind: 'clock', synchronised: true, offsetMs: 1, estimatedErrorMs: 1, resolutionMs: 0 },
    ],
  },
  {
    kind: 'filesystem',
    bodies: (index) => [
      {
        kind: 'filesystem',
        sizeBytes: 100 * GIB,
        usedBytes: (index % 50 === 0 ? 97 : 50) * GIB,
        availableBytes: (index % 50 === 0 ? 3 : 50) * GIB,
        inodesTotal: 6_000_000,
        inodesFree: 5_000_000,
        superblockReadOnly: false,
      },
    ],
  },
  {
    kind: 'disk',
    bodies: (index) => [
      {
        kind: 'temperature',
        ...averaged,
        sensor: 'drive',
        celsius: index % 50 === 0 ? 70 : 35,
        warnCelsius: null,
        criticalCelsius: null,
        deviceClass: 'hdd',
      },
    ],
  },
  {
    kind: 'service',
    bodies: (index) => [
      {
        kind: 'unit',
        activeState: index % 50 === 0 ? 'failed' : 'active',
        subState: 'running',
        result: 'success',
        stateSinceMs: NOW_MS - 60 * MINUTE_MS,
        restartCount: 0,
      },
    ],
  },
  {
    kind: 'container',
    bodies: () => [{ kind: 'container_memory', ...averaged, workingSetBytes: GIB, limitBytes: 4 * GIB }],
  },
  {
    kind: 'endpoint',
    bodies: (index) => [
      { kind: 'target', job: 'node', instance: `host${index}:9100`, up: true, downSinceMs: null, lastError: null },
    ],
  },
];

const createWorld = (readings: number): { readonly world: World; readonly count: number } => {
  const resources: Resource[] = [];
  const byResource = new Map<string, Reading[]>();
  let count = 0;
  for (let index = 0; count < readings; index += 1) {
    const sort = SORTS[index % SORTS.length];
    if (sort === undefined) break;
    const id = asResourceId(`r${index}`);
    const stamped = sort.bodies(index).map(
      (body, at): Reading => ({
        ...body,
        id: `e${index}.${at}`,
        resourceId: id,
        sourceId: 'metrics',
        takenAtMs: NOW_MS,
        receivedAtMs: NOW_MS,
      }),
    );
    resources.push({
      id,
      kind: sort.kind,
      name: id,
      parentId: null,
      status: 'running',
      sourceIds: ['metrics'],
      tags: index % 3 === 0 ? ['media'] : [],
      expects: stamped.map(({ kind }): ReadingKind => kind),
      facts: {},
      presence: 'observed',
    });
    byResource.set(id, stamped);
    count += stamped.length;
  }
  return {
    count,
    world: {
      resources,
      readingsOf: (id) => byResource.get(id) ?? [],
      gapsOf: () => [],
      lastSurveyAtMs: () => NOW_MS - 5 * MINUTE_MS,
    },
  };
};

/** Two days of hourly samples, for whatever metric is asked about. */
const past: readonly Sample[] = Array.from({ length: 48 }, (_, hour) => ({
  atMs: NOW_MS - (48 - hour) * 60 * MINUTE_MS,
  value: 50 * GIB,
  windowMs: 0,
}));
const history: History = { of: () => ({ samples: () => past }) };

const limits = () =>
  createLimitResolver({
    kinds: { host: { cpu: { warning: 80, path: 'alerts.host.cpu' } } },
    overrides: [
      {
        match: { tag: 'media' },
        settings: { filesystem: { usage: { warning: 90, path: 'alerts.overrides[0].filesystem.usage' } } },
      },
    ],
  });

export interface VerdictFigures {
  readonly readings: number;
  readonly verdicts: number;
  /** Readings that became verdicts, a second; each was looked at by every detector that reads its kind. */
  readonly verdictsPerSecond: number;
}

export const measureVerdicts = (): VerdictFigures => {
  const { world, count } = createWorld(100_000);
  const input = { world, detectors, history, memories: { of: () => undefined }, nowMs: NOW_MS };
  const seconds: number[] = [];
  let verdicts = 0;
  for (let round = 0; round < ROUNDS; round += 1) {
    const resolver = limits();
    const begun = performance.now();
    verdicts = evaluate({ ...input, limits: resolver }).verdicts.length;
    seconds.push((performance.now() - begun) / 1000);
  }
  const middle = median(seconds.slice(1));
  return {
    readings: count,
    verdicts,
    verdictsPerSecond: Math.round(count / middle),
  };
};
