/** One detector before one resource, once, with whatever readings, gaps and memories a test needs. */
import {
  type AnyDetector,
  type DetectorInput,
  defineDetector,
  type Judgement,
  type Severity,
  type VerdictMemory,
} from '../../signals/detector.ts';
import { evaluate, type ResourceGap, type World } from '../../signals/evaluate.ts';
import { noHistory } from '../../signals/history.ts';
import { type AlertSettings, createLimitResolver, noSettings } from '../../signals/limits.ts';
import type { Reading } from '../../signals/reading.ts';
import { asResourceId, type Resource } from '../../signals/resource.ts';
import { stateLimit } from '../../signals/state-limit.ts';
import { MINUTE_MS, resourceOf, START_MS } from './signal-story.ts';

const KINDS = ['host', 'disk'] as const;
export const NOW = START_MS;

export type Detect = (input: DetectorInput<'cpu' | 'memory', 'limit'>) => Judgement | readonly Judgement[];

export const detectorOf = (detect: Detect, more: Partial<AnyDetector> = {}): AnyDetector => ({
  ...defineDetector({
    type: 'probe',
    title: 'Probe',
    category: 'general',
    kinds: KINDS,
    reads: ['cpu', 'memory'],
    sources: 'each',
    limits: { limit: stateLimit({ metric: 'probe', kinds: KINDS, because: '' }) },
    explain: '',
    detect,
  }),
  ...more,
});

export const raised = (
  severity: Severity,
  subject: string | null = null,
  more: Partial<Extract<Judgement, { state: 'raised' }>> = {},
): Judgement => ({
  state: 'raised',
  subject,
  severity,
  level: null,
  summary: 'it is wrong',
  clearsWhen: 'it is right',
  evidence: ['e1'],
  ...more,
});

let ids = 0;
export const cpu = (sourceId = 'host', more: Partial<Reading> = {}): Reading => {
  ids += 1;
  return {
    kind: 'cpu',
    busyRatio: 0.5,
    iowaitRatio: null,
    stealRatio: null,
    windowMs: 0,
    observedRatio: 1,
    id: `e${ids}`,
    resourceId: host.id,
    sourceId,
    takenAtMs: NOW,
    receivedAtMs: NOW,
    ...more,
  } as Reading;
};

export const host = resourceOf('host', {
  id: asResourceId('host/nas'),
  sourceIds: ['host', 'metrics'],
  expects: ['cpu'],
});

export interface Scene {
  readonly detector: AnyDetector;
  readonly readings?: readonly Reading[];
  readonly resource?: Resource;
  readonly gaps?: readonly ResourceGap[];
  readonly memory?: Readonly<Record<string, Partial<VerdictMemory>>>;
  readonly settings?: AlertSettings;
}

export const memoryOf = (more: Partial<VerdictMemory>): VerdictMemory => ({
  severity: 'warning',
  level: null,
  sinceMs: NOW - MINUTE_MS,
  bad: null,
  seenAtMs: NOW - MINUTE_MS,
  ...more,
});

export const play = ({
  detector,
  readings = [cpu()],
  resource = host,
  gaps = [],
  memory,
  settings = noSettings,
}: Scene) => {
  const world: World = {
    resources: [resource],
    readingsOf: () => readings,
    gapsOf: () => gaps,
    lastSurveyAtMs: () => null,
  };
  const memories =
    memory === undefined
      ? undefined
      : new Map(Object.entries(memory).map(([subject, more]) => [subject, memoryOf(more)]));
  return evaluate({
    world,
    detectors: [detector],
    limits: createLimitResolver(settings),
    history: { of: () => noHistory },
    memories: { of: () => memories },
    nowMs: NOW,
  });
};

export const gap = (code: ResourceGap['code'], more: Partial<ResourceGap> = {}): ResourceGap => ({
  sourceId: 'host',
  reads: ['cpu'],
  code,
  reason: `why ${code}`,
  ...more,
});

export const told = (evaluation: ReturnType<typeof evaluate>) =>
  evaluation.verdicts.map((verdict) => [
    verdict.subject,
    verdict.state === 'unobserved' ? verdict.code : verdict.state === 'raised' ? verdict.signal.severity : 'clear',
  ]);
