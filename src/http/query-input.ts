/** What a URL carries, as the input of a capability: its texts become numbers, booleans and lists where those are asked for. */
import { z } from 'zod';
import type { InputProblem } from '../capabilities/call-capability.ts';
import type { AnyCapability } from '../capabilities/capability.ts';

export interface RawInput {
  readonly values: Readonly<Record<string, unknown>>;
  readonly problems: readonly InputProblem[];
}

type Shape = 'text' | 'number' | 'boolean' | 'list';

interface PropertySchema {
  readonly type?: unknown;
}

const shapeOf = ({ type }: PropertySchema): Shape => {
  if (type === 'integer' || type === 'number') return 'number';
  if (type === 'boolean') return 'boolean';
  return type === 'array' ? 'list' : 'text';
};

const NUMBER = /^-?\d{1,15}(?:\.\d{1,15})?$/;

/** A text that is none of what is wanted is left as it is: the schema says then what is wrong with it. */
const convert = (text: string, shape: Shape): unknown => {
  switch (shape) {
    case 'number':
      return NUMBER.test(text) ? Number(text) : text;
    case 'boolean':
      return text === 'true' || text === 'false' ? text === 'true' : text;
    case 'list':
      return text.split(',');
    case 'text':
      return text;
  }
};

export interface UrlInput {
  readonly query: Readonly<Record<string, string | readonly string[]>>;
  readonly params: Readonly<Record<string, string>>;
}

/** Made once for a capability. */
export const createUrlReader = ({ input }: Pick<AnyCapability, 'input'>): ((url: UrlInput) => RawInput) => {
  const { properties = {} } = z.toJSONSchema(input, { io: 'input' }) as { properties?: Record<string, PropertySchema> };
  const shapes = new Map(Object.entries(properties).map(([name, property]) => [name, shapeOf(property)]));
  return ({ query, params }) => {
    const problems: InputProblem[] = [];
    const values: [string, unknown][] = [];
    for (const [name, given] of Object.entries(query)) {
      const shape = shapes.get(name) ?? 'text';
      const texts = typeof given === 'string' ? [given] : given;
      const [first = ''] = texts;
      if (Object.hasOwn(params, name)) problems.push({ path: name, message: 'it is given by the path' });
      else if (shape === 'list') values.push([name, texts.flatMap((text) => convert(text, shape))]);
      else if (texts.length > 1) problems.push({ path: name, message: 'it is given more than once' });
      else values.push([name, convert(first, shape)]);
    }
    // From entries, so that a parameter called `__proto__` is a property like any other, and refused as unknown.
    return { values: Object.fromEntries([...values, ...Object.entries(params)]), problems };
  };
};
