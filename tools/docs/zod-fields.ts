/** Reads a zod schema as a list of settings: path, what may be written, default, what it means. */
import { z } from 'zod';

export interface Setting {
  readonly path: string;
  readonly may: string;
  /** Null: it has none. */
  readonly byDefault: string | null;
  readonly required: boolean;
  readonly about: string;
}

interface Def {
  readonly type: string;
  readonly [key: string]: unknown;
}

type Schema = z.core.$ZodType;

const defOf = (schema: Schema): Def => schema._zod.def as unknown as Def;
const metaOf = (schema: Schema): { readonly description?: string; readonly duration?: boolean } =>
  (z.globalRegistry.get(schema) ?? {}) as { readonly description?: string; readonly duration?: boolean };

/** Wrappers that change nothing about what may be written. */
const WRAPPERS = new Set(['optional', 'default', 'prefault', 'readonly', 'nonoptional', 'catch']);

interface Unwrapped {
  readonly schema: Schema;
  readonly about: string;
  readonly isDuration: boolean;
  readonly optional: boolean;
  readonly byDefault: unknown;
}

/** Down to the type that is written; the outermost description counts. */
export const unwrap = (schema: Schema): Unwrapped => {
  const { description = '', duration = false } = metaOf(schema);
  const def = defOf(schema);
  const next = WRAPPERS.has(def.type) ? def['innerType'] : def.type === 'pipe' ? def['in'] : undefined;
  if (next === undefined)
    return { schema, about: description, isDuration: duration, optional: false, byDefault: undefined };
  const inner = unwrap(next as Schema);
  return {
    schema: inner.schema,
    about: description === '' ? inner.about : description,
    isDuration: duration || inner.isDuration,
    optional: inner.optional || def.type === 'optional' || def.type === 'default' || def.type === 'prefault',
    byDefault: def.type === 'default' || def.type === 'prefault' ? def['defaultValue'] : inner.byDefault,
  };
};

export const shapeOf = (schema: Schema): Readonly<Record<string, Schema>> | null => {
  const def = defOf(unwrap(schema).schema);
  return def.type === 'object' ? (def['shape'] as Record<string, Schema>) : null;
};

export const elementOf = (schema: Schema): Schema | null => {
  const def = defOf(unwrap(schema).schema);
  return def.type === 'array' ? (def['element'] as Schema) : null;
};

export const optionsOf = (schema: Schema): readonly Schema[] => {
  const def = defOf(unwrap(schema).schema);
  return def.type === 'union' ? (def['options'] as Schema[]) : [];
};

const literal = (value: unknown): string => (value === false ? '`off`' : `\`${String(value)}\``);

/** What may be written, in words. */
const mayBe = (schema: Schema): string => {
  const { schema: inner, isDuration } = unwrap(schema);
  if (isDuration && defOf(inner).type === 'string') return 'duration';
  const def = defOf(inner);
  switch (def.type) {
    case 'literal':
      return (def['values'] as unknown[]).map(literal).join(', ');
    case 'enum':
      return Object.values(def['entries'] as Record<string, string>)
        .map(literal)
        .join(', ');
    case 'union':
      return [...new Set((def['options'] as Schema[]).map(mayBe))].join(' or ');
    case 'array':
      return `list of ${mayBe(def['element'] as Schema)}`;
    case 'record':
      return `${mayBe(def['valueType'] as Schema)} by name`;
    case 'object':
      return 'settings';
    case 'string':
      return 'text';
    default:
      return def.type;
  }
};

const UNITS = [
  [86_400_000, 'd'],
  [3_600_000, 'h'],
  [60_000, 'm'],
  [1_000, 's'],
] as const;

/** As it would be written in the config. */
export const writtenDuration = (ms: number): string => {
  const [size, unit] = UNITS.find(([unitMs]) => ms >= unitMs && ms % unitMs === 0) ?? [1, 'ms'];
  return `${ms / size}${unit}`;
};

const hasDuration = (schema: Schema): boolean =>
  unwrap(schema).isDuration || optionsOf(schema).some((option) => hasDuration(option));

const written = (value: unknown, schema: Schema): string | null => {
  if (value === undefined || (typeof value === 'object' && JSON.stringify(value).length <= 2)) return null;
  if (typeof value === 'number' && hasDuration(schema)) return `\`${writtenDuration(value)}\``;
  return `\`${typeof value === 'string' ? value : JSON.stringify(value)}\``;
};

/** The settings of an object; those of an object within it by their paths. */
export const settingsOf = (shape: Readonly<Record<string, Schema>>, prefix = ''): readonly Setting[] =>
  Object.entries(shape).flatMap(([key, schema]) => {
    const path = `${prefix}${key}`;
    const { about, optional, byDefault } = unwrap(schema);
    const own: Setting = {
      path,
      may: mayBe(schema),
      byDefault: written(byDefault, schema),
      required: !optional,
      about,
    };
    const inner = shapeOf(schema);
    if (inner !== null) return settingsOf(inner, `${path}.`);
    const element = elementOf(schema);
    const elementShape = element === null ? null : shapeOf(element);
    return elementShape === null ? [own] : [own, ...settingsOf(elementShape, `${path}[].`)];
  });
