/** Which keys may stand where, read from the schema itself, so that a suggestion can't go out of date. */
import type { z } from 'zod';
import type { ConfigPath } from './problem.ts';

/** Key names that may stand at a path, over all alternatives of the schema. */
export const knownKeys = (schema: z.core.$ZodType, path: ConfigPath): readonly string[] => {
  let level: readonly z.core.$ZodType[] = flatten(schema);
  for (const part of path) level = level.flatMap((type) => childOf(type, part)).flatMap(flatten);
  return [...new Set(level.flatMap((type) => Object.keys(shapeOf(type))))];
};

interface Def {
  readonly type: string;
  readonly [key: string]: unknown;
}

const defOf = (type: z.core.$ZodType): Def => type._zod.def as unknown as Def;
const shapeOf = (type: z.core.$ZodType): Readonly<Record<string, z.core.$ZodType>> =>
  defOf(type).type === 'object' ? (defOf(type)['shape'] as Record<string, z.core.$ZodType>) : {};

const flatten = (type: z.core.$ZodType): readonly z.core.$ZodType[] => {
  const def = defOf(type);
  if (def.type === 'union') return (def['options'] as z.core.$ZodType[]).flatMap(flatten);
  const inner = def['innerType'] ?? (def.type === 'pipe' ? def['in'] : undefined);
  return inner === undefined ? [type] : flatten(inner as z.core.$ZodType);
};

const childOf = (type: z.core.$ZodType, part: string | number): readonly z.core.$ZodType[] => {
  const def = defOf(type);
  if (def.type === 'array') return [def['element'] as z.core.$ZodType];
  if (def.type === 'record') return [def['valueType'] as z.core.$ZodType];
  const child = shapeOf(type)[String(part)];
  return child === undefined ? [] : [child];
};
