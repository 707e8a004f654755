/** A store with something in it: one machine, its findings, and a run that saw part of it. */
import { type Category, SEVERITIES, type Severity, type Signal } from '../../signals/detector.ts';
import { asResourceId, type Resource, type ResourceId } from '../../signals/resource.ts';
import { createVerdictStore } from '../../src/evidence/verdict-store.ts';
import type { Coverage } from '../../src/patrol/coverage.ts';
import type { RunReport } from '../../src/patrol/report.ts';
import type { StageRecord } from '../../src/patrol/run-record.ts';
import { NOW_MS, type Store } from './http-house.ts';

export const HOST = asResourceId('nas1');
export const DISK = asResourceId('nas1/disk/wwn-5000c500a1b2c3d4');
export const ROOT = asResourceId('nas1/filesystem/ ⁄ünïcode/%2F');

const resource = (id: ResourceId, kind: Resource['kind'], more: Partial<Resource> = {}): Resource => ({
  id,
  kind,
  name: id.split('/').at(-1) ?? id,
  parentId: null,
  status: 'running',
  sourceIds: ['this-host'],
  tags: [],
  expects: [],
  facts: {},
  presence: 'observed',
  ...more,
});

export const seedResources = (store: Store, more: readonly Resource[] = []): void => {
  const seen = [
    resource(HOST, 'host', { tags: ['lab', 'media'], expects: ['cpu', 'memory', 'boot'], facts: { cores: 4 } }),
    resource(DISK, 'disk', { parentId: HOST, expects: ['smart'], facts: { rotational: true }, status: 'degraded' }),
    resource(ROOT, 'filesystem', { parentId: HOST, expects: ['filesystem'], sourceIds: ['this-host', 'metrics'] }),
    ...more,
  ];
  store.inventory.write({ seen, aliases: [], absent: [], merged: [] }, store.clock.nowMs());
};

/** `count` more things below the host. */
export const manyResources = (count: number): readonly Resource[] =>
  Array.from({ length: count }, (_, index) =>
    resource(asResourceId(`nas1/service/unit-${String(index).padStart(5, '0')}`), 'service', { parentId: HOST }),
  );

export const signalOf = (type: string, more: Partial<Signal> = {}): Signal => ({
  type,
  resourceId: HOST,
  subject: null,
  key: more.subject === undefined || more.subject === null ? type : `${type}:${more.subject}`,
  severity: 'warning',
  category: 'performance',
  title: 'CPU is busy',
  summary: 'CPU 92 % busy over 15 min, limit 70 % (default)',
  clearsWhen: 'the mean over 15 min is back at 65 % or less',
  level: { value: 92, unit: 'percent', limit: { trigger: 70, clear: 65, origin: { kind: 'default' } } },
  sinceMs: NOW_MS - 900_000,
  evidence: [],
  details: { cores: 4 },
  sourceIds: ['this-host'],
  ...more,
});

const CATEGORIES: readonly Category[] = ['capacity', 'reliability', 'performance'];

/** Of every severity and some categories, on many resources. */
export const manySignals = (count: number): readonly Signal[] =>
  Array.from({ length: count }, (_, index) =>
    signalOf('high_disk', {
      resourceId: asResourceId(`host-${index % 1_000}`),
      subject: `/srv/${index}`,
      severity: SEVERITIES[index % SEVERITIES.length] as Severity,
      category: CATEGORIES[index % CATEGORIES.length] as Category,
    }),
  );

export const file = (store: Store, signals: readonly Signal[], runId: string | null = null): readonly string[] =>
  store.findings
    .fileBatch(signals, { nowMs: store.clock.nowMs(), runId, readingOf: () => null })
    .map(({ findingId }) => findingId);

const COVERAGE: Coverage = {
  raised: 1,
  clear: 7,
  unobserved: 3,
  accepted: 1,
  warmingUp: 2,
  skipped: 4,
  resources: 3,
  sources: [{ sourceId: 'this-host', outcome: 'partial', reason: 'smartctl is not installed', durationMs: 12.5 }],
};

const UNOBSERVED: RunReport['verdicts']['unobserved'] = [
  { resourceId: DISK, detector: 'smart_failure', subject: null, code: 'not_installed', reason: 'smartctl is missing' },
  { resourceId: HOST, detector: 'clock_skew', subject: null, code: 'not_supported', reason: 'nobody tells the time' },
  { resourceId: HOST, detector: 'service_failed', subject: 'a.service', code: 'timed_out', reason: 'no answer in 5 s' },
];

const STAGES: readonly StageRecord[] = [
  { name: 'survey', status: 'done', reason: '1 source, 3 resources', durationMs: 40.5 },
  { name: 'model_loop', status: 'skipped', reason: 'no provider', durationMs: 0 },
];

export interface SeededRun {
  readonly id: string;
  readonly scoped?: boolean;
  readonly kind?: 'patrol' | 'watch';
  readonly unobserved?: RunReport['verdicts']['unobserved'];
  /** In place of the report that belongs to it. */
  readonly report?: unknown;
}

/** A run that completed, with its report. */
export const seedRun = (
  store: Store,
  { id, scoped = false, kind = 'patrol', unobserved = UNOBSERVED, report: written }: SeededRun,
): void => {
  const scope = scoped ? { ids: ['nas1'], kinds: [], sources: [], tags: [] } : null;
  const start = { id, requestId: `request-${id}`, kind, trigger: 'schedule' as const, scope };
  const nowMs = store.clock.nowMs();
  store.runs.begin(start, nowMs);
  for (const [index, stage] of STAGES.entries()) store.runs.stage(id, index + 1, stage);
  const signal = signalOf('high_cpu');
  const report: RunReport = {
    run: {
      ...start,
      state: 'completed',
      status: 'issues_found',
      reason: null,
      startedAtMs: nowMs,
      durationMs: 80,
      coverage: COVERAGE,
      stages: STAGES,
    },
    signals: [
      {
        key: signal.key,
        detector: signal.type,
        resourceId: signal.resourceId,
        subject: null,
        severity: signal.severity,
        category: signal.category,
        title: signal.title,
        summary: signal.summary,
        clearsWhen: signal.clearsWhen,
        level: { value: 92, limit: 70, unit: 'percent', limitFrom: 'default' },
        sinceMs: signal.sinceMs,
        evidence: [],
      },
    ],
    verdicts: { raised: 1, clear: 7, unobserved, skipped: 4 },
    findings: [],
  };
  const { status, state, reason, coverage } = report.run;
  store.runs.end(id, {
    state: state as 'completed',
    status,
    reason,
    durationMs: 80.25,
    coverage,
    report: JSON.stringify(written ?? report),
  });
};

/** What detectors remember of what they raised. */
export const seedRaised = (store: Store, detector: string, resourceId: ResourceId, severity: Severity): void => {
  const verdicts = createVerdictStore(store.db);
  const nowMs = store.clock.nowMs();
  const memory = { severity, level: 1, sinceMs: nowMs - 5_000, bad: null, seenAtMs: nowMs, sourceIds: ['this-host'] };
  const signal = signalOf(detector, { resourceId, severity });
  verdicts.write(verdicts.load(), [{ detector, resourceId, subject: null, memory, state: 'raised', signal }], []);
};

/** Everything at once: the ids of what was filed. */
export const seedAll = (store: Store): readonly string[] => {
  seedResources(store);
  seedRun(store, { id: 'run-1' });
  seedRaised(store, 'high_cpu', HOST, 'warning');
  const filed = file(
    store,
    [
      signalOf('high_cpu'),
      signalOf('smart_failure', {
        resourceId: DISK,
        severity: 'critical',
        category: 'reliability',
        level: null,
        title: 'Disk is failing',
        summary: 'the disk says so itself',
      }),
      signalOf('high_disk', { resourceId: ROOT, subject: '/', severity: 'watch', category: 'capacity' }),
    ],
    'run-1',
  );
  return filed;
};
