/** The config's text as plain values, with the place of each. */
import { type Document, isAlias, isCollection, isNode, LineCounter, parseDocument } from 'yaml';
import type { ConfigPath, ConfigProblem } from './problem.ts';

/** Far above any real config; a guard against being handed something else. */
export const MAX_CONFIG_BYTES = 1_048_576;
/** Aliases that may be resolved: enough for people, too few for a "billion laughs". */
const MAX_ALIASES = 100;

export interface Place {
  readonly line: number;
  readonly column: number;
}

export interface ParsedYaml {
  readonly value: unknown;
  readonly problems: readonly ConfigProblem[];
  /** Where a path, or the nearest parent of it that is written, stands. */
  place(path: ConfigPath): Place | null;
}

const placeOf = (document: Document, lines: LineCounter, path: ConfigPath): Place | null => {
  for (let length = path.length; length >= 0; length -= 1) {
    const part = path.slice(0, length);
    const parent: unknown = length === 0 ? null : document.getIn(part.slice(0, -1), true);
    const key = part.at(-1);
    // The key says where a setting stands better than its value, which may be lines below.
    const pair = isCollection(parent) ? parent.items.find((item) => isPairOf(item, key)) : undefined;
    const node: unknown = pair ?? document.getIn(part, true);
    const offset = isNode(node) ? node.range?.[0] : undefined;
    if (offset !== undefined) {
      const { line, col } = lines.linePos(offset);
      return { line, column: col };
    }
    if (pair !== undefined) {
      const { line, col } = lines.linePos(keyOffset(pair) ?? 0);
      return { line, column: col };
    }
  }
  return null;
};

const isPairOf = (item: unknown, key: string | number | undefined): boolean =>
  typeof item === 'object' &&
  item !== null &&
  'key' in item &&
  isNode(item.key) &&
  !isAlias(item.key) &&
  item.key.toJSON() === key;

const keyOffset = (pair: unknown): number | undefined =>
  typeof pair === 'object' && pair !== null && 'key' in pair && isNode(pair.key) ? pair.key.range?.[0] : undefined;

export const parseYaml = (text: string): ParsedYaml => {
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false, uniqueKeys: true });
  const problems = document.errors.map((error): ConfigProblem => {
    const { line, col } = lines.linePos(error.pos[0]);
    return { path: '', line, column: col, message: `not valid YAML: ${error.message}`, suggestion: null };
  });
  const place = (path: ConfigPath): Place | null => placeOf(document, lines, path);
  if (problems.length > 0) return { value: null, problems, place };
  try {
    return { value: document.toJS({ maxAliasCount: MAX_ALIASES }) as unknown, problems, place };
  } catch (error) {
    const message = `not usable YAML: ${error instanceof Error ? error.message : String(error)}`;
    return { value: null, problems: [{ path: '', line: 1, column: 1, message, suggestion: null }], place };
  }
};
