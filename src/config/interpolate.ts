/** `${NAME}` and `${NAME:-default}` in the config's strings, from the environment. `$$` is a dollar sign. */
import type { ConfigPath } from './problem.ts';

export type Environment = Readonly<Record<string, string | undefined>>;

export interface Interpolated {
  readonly value: unknown;
  readonly missing: readonly { readonly path: ConfigPath; readonly name: string }[];
}

const REFERENCE = /\$\$|\$\{([A-Za-z_][A-Za-z0-9_]*)(?::-([^}]*))?\}/g;

export const interpolate = (root: unknown, env: Environment): Interpolated => {
  const missing: { path: ConfigPath; name: string }[] = [];
  const text = (value: string, path: ConfigPath): string =>
    value.replace(REFERENCE, (whole, name: string | undefined, fallback: string | undefined) => {
      if (name === undefined) return '$';
      const found = env[name] ?? fallback;
      if (found === undefined) missing.push({ path, name });
      return found ?? whole;
    });
  const visit = (value: unknown, path: ConfigPath): unknown => {
    if (typeof value === 'string') return text(value, path);
    if (Array.isArray(value)) return value.map((item, index) => visit(item, [...path, index]));
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, visit(item, [...path, key])]));
  };
  return { value: visit(root, []), missing };
};
