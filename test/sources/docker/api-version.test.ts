import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { negotiateApiVersion } from '../../../src/sources/docker/api-version.ts';

describe('negotiateApiVersion', () => {
  it.each([
    ['Docker 20.10', '1.41', '1.12', '/v1.41', true],
    ['Docker 18.09', '1.39', '1.12', '/v1.39', false],
    ['Docker 19.03', '1.40', '1.12', '/v1.40', false],
    ['Docker 27', '1.47', '1.24', '/v1.41', true],
    ['Docker 29, which refuses what is below 1.44', '1.52', '1.44', '/v1.44', true],
    ['Podman 3, which names three parts', '1.40.0', '1.24.0', '/v1.40', false],
    ['Podman 5', '1.41', '1.24', '/v1.41', true],
    ['an engine of the far future', '2.3', '2.0', '/v2.0', true],
    ['an engine whose minimum is nonsense', '1.47', 'new', '/v1.47', true],
    ['an engine whose minimum is above its maximum', '1.47', '1.99', '/v1.41', true],
    ['an engine that names no minimum', '1.50', undefined, '/v1.50', true],
  ])('speaks with %s what both know', (_engine, newest, oldest, prefix, oneShotStats) => {
    expect(negotiateApiVersion(newest, oldest)).toEqual({ ok: true, prefix, oneShotStats });
  });

  it('refuses an engine that is too old, and says which would do', () => {
    expect(negotiateApiVersion('1.38', '1.12')).toEqual({
      ok: false,
      reason: 'the engine speaks API 1.38 at most, patrold needs 1.39 (Docker 18.09): upgrade the engine',
    });
  });

  it.each(['', 'v1', '1', '1.x', '../1.41', '1.41/containers'])('refuses %j, which is no version', (newest) => {
    expect(negotiateApiVersion(newest, '1.24').ok).toBe(false);
  });

  it('never asks for a version outside of what the engine names, nor for anything but a version', () => {
    fc.assert(
      fc.property(fc.nat(100), fc.nat(100), (newest, oldest) => {
        const negotiated = negotiateApiVersion(`1.${newest}`, `1.${oldest}`);
        if (!negotiated.ok) return newest < 39;
        const minor = Number(/^\/v1\.(\d+)$/.exec(negotiated.prefix)?.[1]);
        return minor <= newest && (minor >= oldest || oldest > newest);
      }),
    );
  });
});
