/** Recognises a tool call that a model printed as text instead of making it, as small local models do. */

/** Where such text is looked for; nobody prints a call after a long essay. */
const LOOKED_AT_CHARACTERS = 20_000;

const NAME_KEYS = ['name', 'tool', 'tool_name', 'function'] as const;
const ARGUMENT_KEYS = ['arguments', 'parameters', 'args', 'input', 'tool_input'] as const;

const objectsIn = (text: string): readonly string[] => {
  const found: string[] = [];
  let depth = 0;
  let start = -1;
  let inString = false;
  for (let index = 0; index < text.length; index += 1) {
    const character = text.charAt(index);
    if (inString) {
      if (character === '\\') index += 1;
      else if (character === '"') inString = false;
      continue;
    }
    if (character === '"' && depth > 0) inString = true;
    else if (character === '{') {
      if (depth === 0) start = index;
      depth += 1;
    } else if (character === '}' && depth > 0) {
      depth -= 1;
      if (depth === 0) found.push(text.slice(start, index + 1));
    }
  }
  return found;
};

const parsed = (text: string): Record<string, unknown> | null => {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as Record<string, unknown>)
      : null;
  } catch {
    // Text in braces that is no JSON is no call.
    return null;
  }
};

const calledIn = (text: string, tools: ReadonlySet<string>): string | null => {
  const value = parsed(text);
  if (value === null) return null;
  const inner = typeof value['function'] === 'object' && value['function'] !== null ? value['function'] : value;
  const fields = inner as Record<string, unknown>;
  const name = NAME_KEYS.map((key) => fields[key]).find((candidate) => typeof candidate === 'string');
  if (typeof name !== 'string' || !tools.has(name)) return null;
  return ARGUMENT_KEYS.some((key) => key in fields) ? name : null;
};

/** Name of the first tool whose call stands in the text; null: none. */
export const printedCall = (text: string, tools: ReadonlySet<string>): string | null => {
  const head = text.slice(0, LOOKED_AT_CHARACTERS);
  for (const object of objectsIn(head)) {
    const name = calledIn(object, tools);
    if (name !== null) return name;
  }
  // `name({...})`, and the tags that chat templates wrap calls in.
  for (const name of tools) {
    const escaped = name.replaceAll(/[^a-zA-Z0-9_]/g, '');
    if (new RegExp(`(?:^|[\\s>\`])${escaped}\\s*\\(\\s*\\{`).test(head)) return name;
    if (new RegExp(`<(?:tool_call|function)[=\\s>"]+${escaped}\\b`).test(head)) return name;
  }
  return null;
};
