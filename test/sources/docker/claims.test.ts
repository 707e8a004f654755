import { describe, expect, it } from 'vitest';
import { containerClaim, hostClaim } from '../../../src/sources/docker/claims.ts';
import { inspectedSchema, listedSchema } from '../../../src/sources/docker/container-schema.ts';
import type { Engine } from '../../../src/sources/docker/engine.ts';
import { containerId, inspectedAnswer, listedAnswer } from '../../support/scripted-engine.ts';

const engine: Engine = {
  kind: 'docker',
  version: '27.5.1',
  prefix: '/v1.41',
  oneShotStats: true,
  id: 'ABCD:EFGH',
  hostName: 'nas',
  kernelRelease: '6.1.0',
  operatingSystem: 'Debian GNU/Linux 12 (bookworm)',
  osType: 'linux',
  cpus: 4,
  memoryBytes: 8e9,
  clockOffset: { ms: 0, known: true },
  timeMs: () => null,
};
const here = { machineId: 'm1', kernelRelease: '6.1.0', origin: 'unix:/run/docker.sock' };
const keys = (changed: Partial<Engine>, locality: Partial<typeof here> | { machineId: null } = {}) =>
  hostClaim({ ...engine, ...changed }, { ...here, ...locality }).keys.map(({ key, strength }) => `${strength} ${key}`);

describe('hostClaim', () => {
  it('is the machine itself where the engine is local', () => {
    expect(keys({})).toEqual(['proof machine-id:m1', 'hint docker-engine:ABCD:EFGH']);
  });

  it('is not the machine where a local socket leads into a virtual one', () => {
    expect(keys({ kernelRelease: '6.10.14-linuxkit' })).toEqual(['proof docker-engine:ABCD:EFGH']);
  });

  it('is known by its engine where it is reached over the network', () => {
    expect(keys({}, { machineId: null })).toEqual(['proof docker-engine:ABCD:EFGH']);
  });

  it('needs no engine id where the machine is known, and goes by the address where nothing else is', () => {
    expect(keys({ id: null })).toEqual(['proof machine-id:m1']);
    expect(keys({ id: null }, { machineId: null })).toEqual(['hint docker-endpoint:unix:/run/docker.sock']);
  });

  it('does not compare kernels in recorded answers, and keeps the machine where the engine names none', () => {
    expect(hostClaim(engine, { ...here, kernelRelease: null }).keys[0]?.key).toBe('machine-id:m1');
    expect(keys({ kernelRelease: null })[0]).toBe('proof machine-id:m1');
  });

  it('has the name of the host, undertakes nothing of itself, and is called by its address where it has no name', () => {
    expect(hostClaim(engine, here)).toMatchObject({
      kind: 'host',
      name: 'nas',
      slug: 'nas',
      parentRef: null,
      expects: [],
      status: 'running',
    });
    expect(hostClaim({ ...engine, hostName: '' }, here)).toMatchObject({ name: 'unix:/run/docker.sock', slug: null });
  });
});

describe('containerClaim', () => {
  const container = (more: Record<string, unknown> = {}) => ({
    name: 'web',
    listed: listedSchema.parse(listedAnswer(1, 'web', more)),
  });
  const inspected = (state: Record<string, unknown>) => inspectedSchema.parse(inspectedAnswer(1, state));

  it('is known by its name on its host, whichever container bears it', () => {
    expect(containerClaim(container(), { inspected: inspected({}), expects: ['container'] })).toEqual({
      ref: containerId(1),
      kind: 'container',
      name: 'web',
      parentRef: 'host',
      slug: 'web',
      refersTo: null,
      attachesTo: null,
      answersTo: [],
      keys: [{ key: 'container-name:web', scope: 'parent', strength: 'proof' }],
      status: 'running',
      tags: [],
      expects: ['container'],
      facts: { image: 'nginx:1.27', restartPolicy: 'unless-stopped' },
    });
  });

  it('has its project as a tag and as a fact, and says that it is a single run of a service', () => {
    const Labels = { 'com.docker.compose.project': 'shop', 'com.docker.compose.oneoff': 'True' };
    const claim = containerClaim(container({ Labels }), { inspected: null, expects: [] });
    expect(claim.tags).toEqual(['project:shop']);
    expect(claim.facts).toEqual({ image: 'nginx:1.27', composeProject: 'shop', oneOff: true });
  });

  it.each([
    ['the list alone', null, 'running'],
    ['a failing health check', { Health: { Status: 'unhealthy', FailingStreak: 4 } }, 'degraded'],
    ['a health check that has not run', { Health: { Status: 'starting', FailingStreak: 0 } }, 'starting'],
    ['a start that failed', { Status: 'created', Error: 'no such file' }, 'failed'],
    ['a container that was never started', { Status: 'created' }, 'stopped'],
    ['a word that is not known', { Status: 'hovering' }, 'unknown'],
  ])('has the status that %s tells', (_what, state, status) => {
    const details = { inspected: state === null ? null : inspected(state), expects: [] };
    expect(containerClaim(container(), details).status).toBe(status);
  });
});
