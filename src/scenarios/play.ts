/** Plays a scenario through real runs, and says what became of its expectations. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { VerbEvent } from '../../findings/event.ts';
import { detectors } from '../../signals/detectors/index.ts';
import { asResourceId } from '../../signals/resource.ts';
import { createConfigSchema } from '../config/schema.ts';
import type { ModelSettings } from '../model/model-settings.ts';
import type { RunReport } from '../patrol/report.ts';
import type { RunDeps } from '../patrol/run-pass.ts';
import type { PatrolSettings } from '../patrol/settings.ts';
import { settingsFromConfig } from '../patrol/settings-from-config.ts';
import { PatroldError } from '../runtime/errors.ts';
import { sectionDefinitions, sourceDefinitions } from '../sources/index.ts';
import type { SourceDefinition } from '../sources/source.ts';
import { compareStep, type StepOutcome } from './compare.ts';
import type { LoadedScenario } from './load-scenarios.ts';
import { recordedDefinitions, sourceEntries } from './recorded-sources.ts';
import { applyRecorded, copyBase } from './recording-directory.ts';
import type { ScenarioStep } from './scenario-file.ts';
import { openStage, type Stage } from './stage.ts';

/** Runs that follow the last step when recorded times move on with the clock. */
export const MOVING_RUNS = 10;
const MOVES_BY_MS = 5 * 60_000;

export interface Played {
  readonly name: string;
  readonly steps: readonly StepOutcome[];
  /** What the ten runs after the last step changed, where nothing should have changed. */
  readonly moved: readonly string[];
}

interface Play {
  readonly loaded: LoadedScenario;
  readonly corpus: string;
  readonly stage: Stage;
  readonly recordedAtMs: number;
  readonly failures: Map<string, string>;
  readonly model: ScenarioModel | null;
  config: Record<string, unknown>;
}

/** The model that a scenario is played with. */
export interface ScenarioModel {
  readonly settings: ModelSettings;
  readonly open: RunDeps['openModel'];
}

export interface PlayOptions {
  /** Whether ten more runs follow the last step. */
  readonly moving: boolean;
  readonly model?: ScenarioModel;
}

const definitions = [...sourceDefinitions, ...sectionDefinitions] as unknown as readonly SourceDefinition<never>[];
const schema = () => {
  const [checks, backups] = sectionDefinitions;
  return createConfigSchema({
    sources: sourceDefinitions,
    checks: checks.configSchema,
    backups: backups.configSchema,
    detectors,
  });
};

const settingsOf = (play: Play): PatrolSettings => {
  const { loaded, stage, recordedAtMs, failures, config } = play;
  const machineId = localMachineId(play);
  const parsed = schema().safeParse({ ...config, sources: sourceEntries(loaded.scenario) });
  if (!parsed.success)
    throw new PatroldError('scenario_invalid', `scenario ${loaded.name}: config: ${parsed.error.message}`);
  const { directory, clock, logger, stateOf } = stage;
  const settings = settingsFromConfig(parsed.data, {
    definitions: recordedDefinitions(definitions, {
      directory,
      recordedAtMs,
      failureOf: (id) => failures.get(id) ?? null,
    }),
    detectors,
    depsFor: (id) => ({ clock, logger, localMachineId: machineId, state: stateOf(id) }),
  });
  return { ...settings, model: play.model?.settings ?? null };
};

/** Of the first recorded host: the machine that patrold watches as its own. */
const localMachineId = ({ loaded, stage }: Play): string | null => {
  const [id] = Object.entries(loaded.scenario.sources).find(([, { type }]) => type === 'host') ?? [];
  const file = id === undefined ? null : join(stage.directory, id, 'root', 'etc', 'machine-id');
  return file !== null && existsSync(file) ? readFileSync(file, 'utf8').trim() : null;
};

const see = ({ loaded, stage, recordedAtMs, failures }: Play, { sees }: ScenarioStep): void => {
  for (const [id, recorded] of Object.entries(sees)) {
    applyRecorded(join(stage.directory, id), loaded.directory, recorded, recordedAtMs);
    if (recorded.fails === null) failures.delete(id);
    else if (recorded.fails !== undefined) failures.set(id, recorded.fails);
  }
};

const splitTarget = (target: string): { readonly resourceId: string; readonly key: string } => {
  const [resourceId = '', ...rest] = target.split(' ');
  return { resourceId, key: rest.join(' ') };
};

const act = ({ stage, loaded }: Play, verb: ScenarioStep['does'][number]): void => {
  const { findings, clock } = stage;
  const nowMs = clock.nowMs();
  const on = (target: string): string => {
    const { resourceId, key } = splitTarget(target);
    const found = findings.list({ state: 'all', resourceId: asResourceId(resourceId), key }).findings[0];
    if (found === undefined)
      throw new PatroldError('scenario_invalid', `scenario ${loaded.name}: there is no finding ${target}`);
    return found.id;
  };
  const by = 'operator';
  const tell = (target: string, event: VerbEvent): void => {
    findings.act(on(target), event, { nowMs });
  };
  if ('acknowledge' in verb) tell(verb.acknowledge, { kind: 'acknowledge', by, note: null });
  else if ('snooze' in verb) tell(verb.snooze, { kind: 'snooze', by, untilMs: nowMs + verb.for, note: null });
  else if ('dismiss' in verb) tell(verb.dismiss, { kind: 'dismiss', by, reason: verb.reason, note: null });
  else if ('resolve' in verb) tell(verb.resolve, { kind: 'resolve', by, note: 'repaired' });
  else findings.suppressFinding(on(verb.suppress), { scope: 'key', by, reason: null }, { nowMs });
};

const playStep = async (
  play: Play,
  step: ScenarioStep,
): Promise<{ readonly outcome: StepOutcome; readonly report: RunReport }> => {
  const { stage } = play;
  stage.clock.advance(step.after);
  see(play, step);
  play.config = { ...play.config, ...step.config };
  for (const verb of step.does) act(play, verb);
  const report = await stage.run(step.watch ? 'watch' : 'patrol', settingsOf(play));
  return { outcome: compareStep(step, report), report };
};

const signature = ({ findings }: RunReport): string =>
  findings
    .filter(({ state }) => state === 'active')
    .map(({ id, resourceId, key, severity, episodes }) => `${id} ${resourceId} ${key} ${severity} ${episodes}`)
    .toSorted()
    .join('\n');

/** Ten more runs on the same world: what is known stays as it is, and nothing is new. */
const playOn = async (play: Play, last: RunReport): Promise<readonly string[]> => {
  const changes: string[] = [];
  let before = signature(last);
  for (let run = 1; run <= MOVING_RUNS; run += 1) {
    play.stage.clock.advance(MOVES_BY_MS);
    const now = signature(await play.stage.run('patrol', settingsOf(play)));
    if (now !== before) changes.push(`run ${run} after the last step: was\n${before}\nis\n${now}`);
    before = now;
  }
  return changes;
};

export const playScenario = async (
  corpus: string,
  loaded: LoadedScenario,
  { moving, model }: PlayOptions,
): Promise<Played> => {
  const { name, scenario } = loaded;
  const recordedAtMs = Date.parse(scenario.now);
  const stage = openStage({
    startAtMs: recordedAtMs,
    detectors,
    ...(model === undefined ? {} : { openModel: model.open }),
  });
  try {
    for (const [id, { base }] of Object.entries(scenario.sources)) copyBase(corpus, base, join(stage.directory, id));
    const play: Play = {
      loaded,
      corpus,
      stage,
      recordedAtMs,
      failures: new Map(),
      model: model ?? null,
      config: { ...scenario.config },
    };
    const steps: StepOutcome[] = [];
    let last: RunReport | null = null;
    for (const step of scenario.steps) {
      const { outcome, report } = await playStep(play, step);
      steps.push(outcome);
      last = report;
    }
    return { name, steps, moved: moving && last !== null ? await playOn(play, last) : [] };
  } finally {
    stage.close();
  }
};
