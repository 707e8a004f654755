/** Runs of the real stages on a real database, over sources that answer what the test says, with a clock that it sets. */
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { proof, type ResourceClaim } from '../../signals/claim.ts';
import { detectors } from '../../signals/detectors/index.ts';
import { createLimitResolver, noSettings } from '../../signals/limits.ts';
import { openStores } from '../../src/composition/stores.ts';
import type { ModelSettings } from '../../src/model/model-settings.ts';
import type { RunEvent } from '../../src/patrol/events.ts';
import type { RunRequest } from '../../src/patrol/queue.ts';
import type { RunReport } from '../../src/patrol/report.ts';
import { executeRun } from '../../src/patrol/run.ts';
import type { RunDeps } from '../../src/patrol/run-pass.ts';
import type { PatrolSettings } from '../../src/patrol/settings.ts';
import { openDatabase } from '../../src/runtime/database.ts';
import { createIds } from '../../src/runtime/ids.ts';
import { createLogger } from '../../src/runtime/logger.ts';
import type { Sighting, Source, SurveyRequest } from '../../src/sources/source.ts';
import { createFakeClock, type FakeClock } from './fake-clock.ts';
import { tell } from './readings.ts';
import { temporaryDirectory } from './temporary-directory.ts';

export type Survey = (request: SurveyRequest) => Promise<Sighting> | Sighting;

/** Arrays by name, each with how many of its two devices are active; a list that is whole, unless told otherwise. */
export const arrays = (
  active: Readonly<Record<string, number>>,
  nowMs: number,
  more: { readonly keys?: Readonly<Record<string, readonly string[]>> } & Partial<Sighting> = {},
): Sighting => {
  const { keys = {}, ...rest } = more;
  const claims = Object.keys(active).map(
    (ref): ResourceClaim => ({
      ref,
      kind: 'array',
      name: ref,
      parentRef: null,
      keys: (keys[ref] ?? [`md-uuid:${ref}`]).map((key) => proof(key)),
      slug: null,
      refersTo: null,
      answersTo: [],
      attachesTo: null,
      status: 'running',
      tags: [],
      expects: ['array'],
      facts: {},
    }),
  );
  const readings = Object.entries(active).map(([ref, activeDevices]) => ({
    ...tell('array', { activeDevices }),
    ref,
    takenAtMs: nowMs,
  }));
  return { claims, readings, series: [], gaps: [], listed: [{ kind: 'array', parentRef: null }], ...rest };
};

export interface ScriptedModel {
  readonly settings: ModelSettings;
  readonly open: (clock: FakeClock) => RunDeps['openModel'];
}

export const openScriptedPatrol = (
  scripts: Record<string, Survey>,
  { model = null, quiet = 'look' }: { readonly model?: ScriptedModel | null; readonly quiet?: 'look' | 'skip' } = {},
) => {
  const clock = createFakeClock(Date.UTC(2026, 2, 10, 12));
  const newId = createIds(clock.nowMs);
  const db = openDatabase({ path: join(temporaryDirectory(), 'patrold.db') });
  onTestFinished(() => db.close());
  const stores = openStores(db, newId, new Set(detectors.map(({ type }) => type)));
  const sourceOf = (id: string): Source => ({
    id,
    type: 'scripted',
    survey: async (request) => {
      const script = scripts[id];
      if (script === undefined) throw new Error('no script');
      return await script(request);
    },
    probe: async () => 'answers',
    close: async () => undefined,
  });
  const settings = (): PatrolSettings => ({
    sources: Object.keys(scripts).map((id) => ({ source: sourceOf(id), timeoutMs: 5_000, keepsHistory: false })),
    detectors,
    limits: createLimitResolver(noSettings),
    sameAs: [],
    tags: {},
    isAccepted: () => false,
    windowsMs: { cpu: [], memory: [], temperature: [] },
    model: model?.settings ?? null,
    quiet,
    runTimeoutMs: 60_000,
    keepResolvedMs: 90 * 86_400_000,
    keepRunsMs: 90 * 86_400_000,
  });
  const events: RunEvent[] = [];
  const deps: RunDeps = {
    ...stores,
    clock,
    logger: createLogger({ level: 'silent', clock }),
    settings,
    onEvent: (event) => void events.push(event),
    onRetryAt: () => undefined,
    openModel: model?.open(clock) ?? (() => Promise.reject(new TypeError('no model is scripted'))),
  };
  /** A run two minutes after the one before, so that each look counts as one of its own. */
  const look = async (
    request: Partial<RunRequest> = {},
    { signal = new AbortController().signal, deps: changed = {} as Partial<RunDeps> } = {},
  ): Promise<RunReport> => {
    await clock.advance(120_000);
    const whole: RunRequest = { id: newId(), kind: 'patrol', trigger: 'manual', scope: null, ...request };
    return executeRun({ ...deps, ...changed }, whole, newId(), signal);
  };
  /** Active findings by name of resource and key, and those that this run ended. */
  const tellOf = (report: RunReport): string[] =>
    report.findings.map(
      ({ resourceName, key, state, stale }) => `${resourceName} ${key} ${state}${stale ? ' stale' : ''}`,
    );
  return { clock, stores, deps, events, settings, scripts, look, tellOf, db };
};
