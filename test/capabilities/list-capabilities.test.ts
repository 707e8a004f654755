import { expect, test } from 'vitest';
import { CAPABILITY_ERROR_CODES, WAY_ERROR_CODES } from '../../src/capabilities/api-errors.ts';
import { pathParameters } from '../../src/capabilities/call-capability.ts';
import { capabilities } from '../../src/capabilities/index.ts';
import type { Manifest } from '../../src/capabilities/manifest-schema.ts';
import { askDeclared } from '../support/declared-output.ts';
import { openHouse } from '../support/http-house.ts';

const PATH = '/api/agent/capabilities';

test('the manifest is open, and names every capability with its way in, its schemas and its errors', async () => {
  const house = await openHouse();
  const { status, body } = await house.ask(PATH, { token: null });
  expect(status).toBe(200);
  const manifest = await askDeclared<Manifest>(house, 'list_capabilities', PATH);
  expect(body).toEqual(manifest);
  expect(manifest.capabilities.map(({ name }) => name)).toEqual(capabilities.map(({ name }) => name));
  expect(manifest.capabilities.find(({ name }) => name === 'get_finding')).toMatchObject({
    category: 'findings',
    method: 'GET',
    path: '/api/findings/:id',
    scope: 'read',
    mode: 'read',
    approval: 'never',
    input: { type: 'object', properties: { id: { type: 'string' } }, required: ['id'], additionalProperties: false },
    errors: [
      { code: 'invalid_finding_request', status: 400 },
      { code: 'missing_id', status: 400 },
      { code: 'finding_not_found', status: 404 },
      { code: 'finding_id_ambiguous', status: 400 },
    ],
  });
  expect(manifest.errors.map(({ code }) => code)).toEqual(WAY_ERROR_CODES);
});

test('every capability says what it is for, and its names, paths and codes are its own', () => {
  for (const { name, title, description } of capabilities) {
    expect([name, title.length > 3, description.length > 20]).toEqual([name, true, true]);
    expect(name).toMatch(/^[a-z]+(_[a-z]+)*$/);
  }
  const routes = capabilities.map(({ method, path }) => `${method} ${path}`);
  expect(new Set(routes).size).toBe(routes.length);
  expect(new Set(capabilities.map(({ name }) => name)).size).toBe(capabilities.length);
});

test('a capability declares the code for its bad input, and missing_id where its path has a parameter', () => {
  for (const capability of capabilities) {
    expect(capability.errors).toContain(capability.invalidInput);
    expect([capability.name, capability.errors.includes('missing_id')]).toEqual([
      capability.name,
      pathParameters(capability).length > 0,
    ]);
    for (const parameter of pathParameters(capability))
      expect(Object.keys(capability.input.shape)).toContain(parameter);
  }
});

test('no code is declared that no capability has', () => {
  const declared = new Set(capabilities.flatMap(({ errors }) => errors));
  expect(CAPABILITY_ERROR_CODES.filter((code) => !declared.has(code))).toEqual([]);
});

test('what only looks changes nothing: every capability of this release reads', () => {
  for (const { name, method, mode, approval } of capabilities)
    expect([name, method, mode, approval]).toEqual([name, 'GET', 'read', 'never']);
});
