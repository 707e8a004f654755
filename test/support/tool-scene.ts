/** Tools over the ledger of a scenario's last step: real runs before it, real sources, a real store. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { onTestFinished } from 'vitest';
import { model } from '../../findings/history-entry.ts';
import { detectors } from '../../signals/detectors/index.ts';
import type { Survey } from '../../signals/survey.ts';
import { openStores } from '../../src/composition/stores.ts';
import { createConfigSchema } from '../../src/config/schema.ts';
import { createLedger } from '../../src/evidence/ledger.ts';
import { executeRun } from '../../src/patrol/run.ts';
import type { PatrolSettings } from '../../src/patrol/settings.ts';
import { settingsFromConfig } from '../../src/patrol/settings-from-config.ts';
import { surveyStage } from '../../src/patrol/stages/survey.ts';
import { openVolatileDatabase } from '../../src/runtime/database.ts';
import { createIds } from '../../src/runtime/ids.ts';
import { createLogger } from '../../src/runtime/logger.ts';
import { packageRoot } from '../../src/runtime/package-root.ts';
import { loadScenarios } from '../../src/scenarios/load-scenarios.ts';
import { recordedDefinitions, sourceEntries } from '../../src/scenarios/recorded-sources.ts';
import { applyRecorded, copyBase } from '../../src/scenarios/recording-directory.ts';
import type { Recorded } from '../../src/scenarios/scenario-file.ts';
import { createStageClock, type StageClock } from '../../src/scenarios/stage.ts';
import { sectionDefinitions, sourceDefinitions } from '../../src/sources/index.ts';
import type { SourceDefinition } from '../../src/sources/source.ts';
import type { FiledByModel, FilingContext } from '../../src/tools/filing-context.ts';
import { openTools } from '../../src/tools/open-tools.ts';
import type { Tool, ToolOutcome } from '../../src/tools/tool.ts';
import { temporaryDirectory } from './temporary-directory.ts';

const CORPUS = join(packageRoot(), 'scenarios');
const all = loadScenarios(CORPUS);
export const scenarioNames: readonly string[] = all.map(({ name }) => name);

const definitions = [...sourceDefinitions, ...sectionDefinitions] as unknown as readonly SourceDefinition<never>[];
const [checks, backups] = sectionDefinitions;
const schema = createConfigSchema({
  sources: sourceDefinitions,
  checks: checks.configSchema,
  backups: backups.configSchema,
  detectors,
});

const LONGEST_PAUSE_MS = 2_000;
const PATIENCE_MS = 60_000;

export interface ToolScene {
  readonly context: FilingContext;
  readonly stores: ReturnType<typeof openStores>;
  /** As they are at the last look. */
  readonly settings: PatrolSettings;
  readonly filed: readonly FiledByModel[];
  /** Arguments as a model sends them: they pass the tool's own schema. */
  call(tool: Tool<FilingContext>, asked: unknown, more?: Partial<FilingContext>): Promise<ToolOutcome>;
  /** The text, where it must succeed. */
  text(tool: Tool<FilingContext>, asked: unknown, more?: Partial<FilingContext>): Promise<string>;
  /** The code, where it must fail. */
  code(tool: Tool<FilingContext>, asked: unknown): Promise<string>;
  /** A run that begins where this scene stands: what is filed meets the detectors. */
  patrol(): Promise<void>;
}

export interface SceneOptions {
  /** Changes of the recordings before the last look, by source. */
  readonly sees?: Readonly<Record<string, Partial<Recorded>>>;
  /** Runs before it; by default those of the scenario's steps but the last. */
  readonly runsBefore?: number;
  /** What stands in place of each text that an outsider can write: names, tags, reasons, messages. */
  readonly rewrite?: (text: string) => string;
}

const nothing: Recorded = {
  files: {},
  copy: {},
  edits: {},
  remove: [],
  machine: {},
  commands: {},
  containers: {},
  answers: [],
  vectors: {},
  matrices: {},
};

/** Fields of claims and readings that hold words of outsiders; the others are of closed sets, or name things for code. */
const OUTSIDERS = new Set(
  'name tags reason image composeProject operatingSystem lastProbeOutput startError lastError error victim cgroup sensor subject target job instance check subState result description summary failedMembers'.split(
    ' ',
  ),
);

const reworded = (value: unknown, rewrite: (text: string) => string, within = ''): unknown => {
  if (typeof value === 'string') return OUTSIDERS.has(within) ? rewrite(value) : value;
  if (Array.isArray(value)) return value.map((item) => reworded(item, rewrite, within));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, reworded(item, rewrite, name)]));
};

const rewritten = (survey: Survey, rewrite: (text: string) => string): Survey => {
  const { claims, readings, gaps } = survey;
  // The shape stays; only texts change.
  return {
    ...survey,
    ...(reworded({ claims, readings, gaps }, rewrite) as Pick<Survey, 'claims' | 'readings' | 'gaps'>),
  };
};

export const openToolScene = async (name: string, options: SceneOptions = {}): Promise<ToolScene> => {
  const loaded = all.find((scenario) => scenario.name === name);
  if (loaded === undefined) throw new Error(`there is no scenario ${name}`);
  const { scenario } = loaded;
  const recordedAtMs = Date.parse(scenario.now);
  const directory = temporaryDirectory();
  const stageClock = createStageClock(recordedAtMs);
  const clock: StageClock = {
    ...stageClock,
    // A long sleep watches over what may hang. Recordings answer, and how busy this machine is must not decide.
    sleep: async (ms, by) => {
      if (ms <= LONGEST_PAUSE_MS) return stageClock.sleep(ms, by);
      await wait(PATIENCE_MS, undefined, { signal: by });
    },
  };
  const logger = createLogger({ level: 'silent', clock });
  const newId = createIds(clock.nowMs);
  const db = openVolatileDatabase();
  onTestFinished(() => db.close());
  const stores = openStores(db, newId, new Set(detectors.map(({ type }) => type)));
  const failures = new Map<string, string>();
  let config: Record<string, unknown> = { ...scenario.config };
  for (const [id, { base }] of Object.entries(scenario.sources)) copyBase(CORPUS, base, join(directory, id));
  const see = (id: string, recorded: Recorded): void => {
    applyRecorded(join(directory, id), loaded.directory, recorded, recordedAtMs);
    if (recorded.fails === null) failures.delete(id);
    else if (recorded.fails !== undefined) failures.set(id, recorded.fails);
  };
  const [host] = Object.entries(scenario.sources).find(([, { type }]) => type === 'host') ?? [];
  const machineIdFile = join(directory, host ?? '', 'root', 'etc', 'machine-id');
  const machineId = existsSync(machineIdFile) ? readFileSync(machineIdFile, 'utf8').trim() : null;
  const settingsNow = (): PatrolSettings =>
    settingsFromConfig(schema.parse({ ...config, sources: sourceEntries(scenario) }), {
      definitions: recordedDefinitions(definitions, {
        directory,
        recordedAtMs,
        failureOf: (id) => failures.get(id) ?? null,
      }),
      detectors,
      depsFor: (id) => ({ clock, logger, localMachineId: machineId, state: stores.sources.stateOf(id) }),
    });
  const ignore = (): void => undefined;
  const { signal } = new AbortController();
  const patrol = async (settings: PatrolSettings): Promise<void> => {
    const openModel = () => Promise.reject(new TypeError('a scene has no model'));
    const deps = { ...stores, openModel, clock, logger, settings: () => settings, onEvent: ignore, onRetryAt: ignore };
    await executeRun(deps, { id: newId(), kind: 'patrol', trigger: 'manual', scope: null }, newId(), signal);
  };
  const before = options.runsBefore ?? scenario.steps.length - 1;
  for (const [index, step] of scenario.steps.entries()) {
    clock.advance(step.after);
    config = { ...config, ...step.config };
    for (const [id, recorded] of Object.entries(step.sees)) see(id, recorded);
    if (index < before) await patrol(settingsNow());
    if (index === before) break;
  }
  for (const [id, recorded] of Object.entries(options.sees ?? {})) see(id, { ...nothing, ...recorded });
  const settings = settingsNow();
  const nowMs = clock.nowMs();
  const inventory = stores.inventory.load();
  const surveyed = await surveyStage(
    { ...stores, clock, logger },
    { settings, kind: 'patrol', scope: null, inventory, nowMs, signal, onSurvey: ignore },
  );
  const ledger =
    options.rewrite === undefined
      ? surveyed.ledger
      : createLedger({
          surveys: surveyed.surveys.map((survey) => rewritten(survey, options.rewrite ?? ((text) => text))),
          inventory,
          configured: settings.sources.map(({ source }) => source.id),
          sameAs: [],
          tags: {},
          lastSurveyAtMs: () => null,
        });
  const filed: FiledByModel[] = [];
  const context = openTools(stores, {
    runId: 'run-of-the-scene',
    nowMs,
    ledger,
    detectors,
    limits: settings.limits,
    sources: settings.sources.map(({ source }) => source),
    actor: model('test-model'),
    resultLength: 16_000,
    onFiled: (one) => filed.push(one),
  });
  const call: ToolScene['call'] = async (tool, asked, more = {}) => {
    return tool.run(tool.input.parse(asked), { ...context, ...more }, signal);
  };
  return {
    context,
    stores,
    settings,
    filed,
    call,
    text: async (tool, asked, more) => {
      const outcome = await call(tool, asked, more);
      if (outcome.kind === 'error') throw new Error(`${outcome.error.code}: ${outcome.error.message}`);
      return outcome.text;
    },
    code: async (tool, asked) => {
      const outcome = await call(tool, asked);
      if (outcome.kind === 'ok') throw new Error(`it succeeded: ${outcome.text}`);
      return outcome.error.code;
    },
    patrol: () => patrol(settingsNow()),
  };
};
