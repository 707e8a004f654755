/** Whether an answer has the shape that the manifest declares for it: by its JSON Schema, as a client would read it. */

import { expect } from 'vitest';
import { z } from 'zod';
import type { Manifest } from '../../src/capabilities/manifest-schema.ts';
import type { Answered, House } from './http-house.ts';

const schemas = new Map<string, z.ZodType>();

const schemaOf = (entry: Manifest['capabilities'][number]): z.ZodType => {
  const known = schemas.get(entry.name) ?? z.fromJSONSchema(entry.output as never);
  schemas.set(entry.name, known);
  return known;
};

export const expectDeclared = (house: Pick<House, 'ports'>, name: string, answered: Answered): void => {
  const entry = house.ports.manifest().capabilities.find((capability) => capability.name === name);
  if (entry === undefined) throw new Error(`the manifest has no ${name}`);
  expect(answered.text).not.toBe('');
  expect(answered.status).toBe(200);
  expect(answered.headers['content-type']).toBe('application/json; charset=utf-8');
  expect(schemaOf(entry).safeParse(answered.body).error?.issues).toBe(undefined);
};

/** Asks, and expects an answer as declared. */
export const askDeclared = async <T>(house: House, name: string, path: string): Promise<T> => {
  const answered = await house.ask(path);
  expectDeclared(house, name, answered);
  return answered.body as T;
};

export interface Problem {
  readonly path: string;
  readonly message: string;
}

export const problemsOf = ({ body }: Answered): readonly Problem[] =>
  (body as { readonly details: { readonly problems: readonly Problem[] } }).details.problems;
