/** Settings that the environment or a flag can lay over the file. */
import type { Environment } from './interpolate.ts';
import type { ConfigProblem } from './problem.ts';
import { suggest } from './suggest.ts';

/** Single values that differ from machine to machine; everything else belongs into the file. */
export const OVERRIDABLE = {
  PATROLD_PATROL_SCHEDULE: 'patrol.schedule',
  PATROLD_PATROL_WATCH: 'patrol.watch',
  PATROLD_PATROL_TIME_ZONE: 'patrol.timeZone',
  PATROLD_HTTP_LISTEN: 'http.listen',
  PATROLD_DATA_DIRECTORY: 'data.directory',
  PATROLD_LOG_LEVEL: 'log.level',
} as const satisfies Readonly<Record<string, string>>;

export type OverridablePath = (typeof OVERRIDABLE)[keyof typeof OVERRIDABLE];

/** Read elsewhere, or by the launcher. */
const OTHER_NAMES = ['PATROLD_CONFIG', 'PATROLD_DIST', 'PATROLD_NODE'];

export interface Override {
  readonly path: OverridablePath;
  readonly value: string;
  /** `PATROLD_HTTP_LISTEN`, or `--listen`. */
  readonly origin: string;
}

export const fromEnvironment = (
  env: Environment,
): { readonly overrides: readonly Override[]; readonly problems: readonly ConfigProblem[] } => {
  const known = Object.entries(OVERRIDABLE);
  const overrides = known.flatMap(([name, path]) => {
    const value = env[name];
    return value === undefined || value === '' ? [] : [{ path, value, origin: name }];
  });
  const names = [...known.map(([name]) => name), ...OTHER_NAMES];
  const problems = Object.keys(env)
    .filter((name) => name.startsWith('PATROLD_') && !names.includes(name))
    .map((name): ConfigProblem => {
      const near = suggest(name, names);
      const suggestion = near === null ? `known are ${names.join(', ')}` : `did you mean ${near}?`;
      return { path: '', line: null, column: null, message: `environment variable ${name} is not known`, suggestion };
    });
  return { overrides, problems };
};

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** A copy of the raw config with the overrides in their places; later ones win. */
export const applyOverrides = (raw: unknown, overrides: readonly Override[]): unknown => {
  const root: Record<string, unknown> = isRecord(raw) ? { ...raw } : {};
  for (const { path, value } of overrides) {
    const [section = '', key = ''] = path.split('.');
    const own = root[section];
    root[section] = { ...(isRecord(own) ? own : {}), [key]: value };
  }
  return root;
};
