/** From a file, the environment and flags to one checked config, or to every problem at once. */
import { dirname } from 'node:path';
import { type Environment, interpolate } from './interpolate.ts';
import { type Locate, problemsOf } from './issues.ts';
import { applyOverrides, fromEnvironment, type Override } from './overrides.ts';
import { type ConfigPath, type ConfigProblem, formatPath } from './problem.ts';
import { resolveFiles } from './relative-files.ts';
import type { Config, ConfigSchema } from './schema.ts';
import { MAX_CONFIG_BYTES, type ParsedYaml, parseYaml } from './yaml.ts';

/** A config's text and where it came from; null: there is no file, everything is default. */
export interface ConfigText {
  readonly path: string;
  readonly text: string;
  readonly readableByOthers: boolean;
}

export interface LoadInput {
  readonly file: ConfigText | null;
  readonly env: Environment;
  readonly flags: readonly Override[];
  readonly schema: ConfigSchema;
  /** Rules that span several settings, or that only another part of patrold can judge. */
  readonly check: (
    config: Config,
  ) => readonly { readonly path: ConfigPath; readonly message: string; readonly suggestion?: string }[];
}

export interface LoadedConfig {
  readonly kind: 'loaded';
  readonly config: Config;
  readonly path: string | null;
  readonly warnings: readonly string[];
}

export type LoadResult =
  | LoadedConfig
  | { readonly kind: 'refused'; readonly path: string | null; readonly problems: readonly ConfigProblem[] };

const locator =
  (yaml: ParsedYaml, overrides: readonly Override[]): Locate =>
  (path) => {
    const text = formatPath(path);
    const laid = overrides.findLast((override) => override.path === text);
    if (laid !== undefined) return { path: `${text} (from ${laid.origin})`, line: null, column: null };
    const place = yaml.place(path);
    return { path: text, line: place?.line ?? null, column: place?.column ?? null };
  };

const readYaml = (file: ConfigText | null): ParsedYaml => {
  if (file !== null && Buffer.byteLength(file.text) > MAX_CONFIG_BYTES) {
    const message = `larger than ${MAX_CONFIG_BYTES} bytes`;
    return {
      value: null,
      place: () => null,
      problems: [{ path: '', line: null, column: null, message, suggestion: null }],
    };
  }
  return parseYaml(file?.text ?? '');
};

const inFileOrder = (problems: readonly ConfigProblem[]): readonly ConfigProblem[] =>
  problems.toSorted((a, b) => (a.line ?? 0) - (b.line ?? 0) || (a.column ?? 0) - (b.column ?? 0));

export const loadConfig = ({ file, env, flags, schema, check }: LoadInput): LoadResult => {
  const yaml = readYaml(file);
  const path = file?.path ?? null;
  if (yaml.problems.length > 0) return { kind: 'refused', path, problems: yaml.problems };
  if (yaml.value !== null && (typeof yaml.value !== 'object' || Array.isArray(yaml.value))) {
    const message = 'expected settings by name, such as `sources:`';
    return { kind: 'refused', path, problems: [{ path: '', line: 1, column: 1, message, suggestion: null }] };
  }
  const fromEnv = fromEnvironment(env);
  const overrides = [...fromEnv.overrides, ...flags];
  const locate = locator(yaml, overrides);
  const { value, missing } = interpolate(yaml.value ?? {}, env);
  const problems: ConfigProblem[] = [...fromEnv.problems];
  for (const { path: at, name } of missing) {
    problems.push({
      ...locate(at),
      message: `environment variable ${name} is not set`,
      suggestion: `set it, or write \${${name}:-default}`,
    });
  }
  const directory = path === null ? null : dirname(path);
  const located = directory === null ? value : resolveFiles(value, directory);
  const parsed = schema.safeParse(applyOverrides(located, overrides));
  if (!parsed.success) problems.push(...parsed.error.issues.flatMap((issue) => problemsOf(issue, schema, locate)));
  else {
    for (const { path: at, message, suggestion = null } of check(parsed.data))
      problems.push({ ...locate(at), message, suggestion });
  }
  if (!parsed.success || problems.length > 0) return { kind: 'refused', path, problems: inFileOrder(problems) };
  const warnings =
    file?.readableByOthers === true
      ? [`${file.path} can be read by other users; chmod 600 keeps what is in it private`]
      : [];
  return { kind: 'loaded', config: parsed.data, path, warnings };
};
