/** The schema's complaints as problems that name the place and what would be right. */
import type { z } from 'zod';
import { knownKeys } from './known-keys.ts';
import type { ConfigPath, ConfigProblem } from './problem.ts';
import { suggest } from './suggest.ts';

type Issue = z.core.$ZodIssue;

/** A union's issue hides the one that helps: that of the alternative that came furthest. */
const unfold = (issue: Issue): readonly Issue[] => {
  if (issue.code !== 'invalid_union' || issue.errors.length === 0) return [issue];
  const [best = []] = issue.errors.toSorted((a, b) => depthOf(b) - depthOf(a));
  return best.flatMap((inner) => unfold({ ...inner, path: [...issue.path, ...inner.path] } as Issue));
};

const depthOf = (issues: readonly Issue[]): number => {
  const [first] = issues;
  if (first === undefined) return 0;
  return (
    first.path.length * 2 +
    (first.code === 'invalid_type' && first.path.length === 0 ? 0 : 1) +
    (first.code === 'invalid_value' ? -1 : 0)
  );
};

const suggestKey = (schema: z.ZodType, path: ConfigPath, key: string): string | null => {
  const known = knownKeys(schema, path);
  const near = suggest(key, known);
  if (near !== null) return `did you mean "${near}"?`;
  return known.length === 0 ? null : `known are ${known.slice(0, 30).join(', ')}`;
};

const toPath = (path: readonly PropertyKey[]): ConfigPath =>
  path.map((part) => (typeof part === 'number' ? part : String(part)));

/** Where a path of the config stands, for people. */
export type Locate = (path: ConfigPath) => Pick<ConfigProblem, 'line' | 'column' | 'path'>;

export const problemsOf = (issue: Issue, schema: z.ZodType, locate: Locate): readonly ConfigProblem[] =>
  unfold(issue).flatMap((inner): readonly ConfigProblem[] => {
    const path = toPath(inner.path);
    if (inner.code !== 'unrecognized_keys') return [{ ...locate(path), message: inner.message, suggestion: null }];
    return inner.keys.map((key) => ({
      ...locate([...path, key]),
      message: 'unknown key',
      suggestion: suggestKey(schema, path, key),
    }));
  });
