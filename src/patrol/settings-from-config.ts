/** From a checked config to what a run needs. */
import { globMatches } from '../../signals/alert-settings.ts';
import type { AnyDetector, Verdict } from '../../signals/detector.ts';
import { type AlertSettings, createLimitResolver, type LimitSpec } from '../../signals/limits.ts';
import type { SourceId } from '../../signals/resource.ts';
import type { Config } from '../config/schema.ts';
import { modelSettings } from '../model/model-settings.ts';
import type { Source, SourceDefinition, SourceDeps } from '../sources/source.ts';
import type { AcceptedGap } from './coverage.ts';
import type { ConfiguredSource, PatrolSettings } from './settings.ts';

const DAY_MS = 86_400_000;

/** Ids of the sources that the sections `checks:` and `backups:` make. */
export const CHECKS_ID = 'checks';
export const BACKUPS_ID = 'backups';

export interface SettingsDeps {
  readonly definitions: readonly SourceDefinition<never>[];
  readonly detectors: readonly AnyDetector[];
  readonly depsFor: (sourceId: SourceId) => SourceDeps;
}

interface Entry {
  readonly id: SourceId;
  readonly type: string;
  readonly surveyTimeout?: number | undefined;
  readonly own: unknown;
}

const entriesOf = (config: Config): readonly Entry[] => [
  ...config.sources.map(({ id, type, surveyTimeout, ...own }): Entry => ({ id, type, surveyTimeout, own })),
  ...(config.checks === undefined ? [] : [{ id: CHECKS_ID, type: 'checks', own: config.checks }]),
  ...(config.backups === undefined ? [] : [{ id: BACKUPS_ID, type: 'backups', own: config.backups }]),
];

const createSource = (
  { id, type, surveyTimeout, own }: Entry,
  { definitions, depsFor }: SettingsDeps,
): ConfiguredSource => {
  const definition = definitions.find((candidate) => candidate.type === type);
  if (definition === undefined) throw new TypeError(`no source of type ${type}`);
  // The one schema parsed `own` by this definition's own schema.
  const source: Source = definition.create(id, own as never, depsFor(id));
  return {
    source,
    timeoutMs: surveyTimeout ?? definition.defaultTimeoutMs,
    keepsHistory: definition.keepsHistory === true,
  };
};

const acceptance = (accepted: readonly AcceptedGap[]): PatrolSettings['isAccepted'] => {
  if (accepted.length === 0) return () => false;
  return (verdict: Verdict, sourcesOf) =>
    accepted.some(
      ({ detector, resource, source }) =>
        (detector === undefined || globMatches(detector, verdict.detector)) &&
        (resource === undefined || globMatches(resource, verdict.resourceId)) &&
        (source === undefined || sourcesOf(verdict.resourceId).includes(source)),
    );
};

/** Every `for` that a metric of use can be asked with: the defaults and what the operator wrote anywhere. */
const windowsFor = (detectors: readonly AnyDetector[], alerts: AlertSettings, metric: string): readonly number[] => {
  const specs = detectors
    .flatMap(({ limits }) => Object.values(limits))
    .filter((spec: LimitSpec) => spec.metric === metric);
  const written = [alerts.kinds, ...alerts.overrides.map(({ settings }) => settings)]
    .flatMap((kinds) => Object.values(kinds))
    .flatMap((metrics) => metrics?.[metric]?.forMs ?? []);
  return [...new Set([...specs.map(({ forMs }) => forMs), ...written])]
    .filter((ms) => ms > 0)
    .toSorted((a, b) => a - b);
};

export const settingsFromConfig = (config: Config, deps: SettingsDeps): PatrolSettings => {
  const windows = (metric: string): readonly number[] => windowsFor(deps.detectors, config.alerts, metric);
  return {
    sources: entriesOf(config).map((entry) => createSource(entry, deps)),
    detectors: deps.detectors,
    limits: createLimitResolver(config.alerts),
    sameAs: config.sameAs,
    tags: config.tags,
    isAccepted: acceptance(config.accept as readonly AcceptedGap[]),
    windowsMs: { cpu: windows('cpu'), memory: windows('memory'), temperature: windows('temperature') },
    model: modelSettings(config.model),
    quiet: config.patrol.quiet,
    runTimeoutMs: config.patrol.runTimeout,
    keepResolvedMs: config.data.keepResolvedDays * DAY_MS,
    keepRunsMs: config.data.keepRunsDays * DAY_MS,
  };
};
