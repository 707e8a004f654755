import { describe, expect, it } from 'vitest';
import { stableName } from '../../../src/sources/docker/container-name.ts';
import { containerId } from '../../support/scripted-engine.ts';

const Id = containerId(0xabc);
const old = containerId(0x123);

const swarm = (task: string, service = 'web'): Readonly<Record<string, string>> => ({
  'com.docker.swarm.service.name': service,
  'com.docker.swarm.task.name': task,
  'com.docker.swarm.task.id': 'x7kq',
});

describe('stableName', () => {
  it.each([
    ['the name without its leading slash', ['/web'], {}, 'web'],
    ['the name and not the alias of a legacy link', ['/shop/db', '/pg'], {}, 'pg'],
    ['the short id where there is no name', [], {}, Id.slice(0, 12)],
    ['the short id where the name is null', null, {}, Id.slice(0, 12)],
    ['service and slot of a Swarm task', ['/web.2.x7kq'], swarm('web.2.x7kq'), 'web.2'],
    ['service and node of a global Swarm task', ['/web.n0de.x7kq'], swarm('web.n0de.x7kq'), 'web.n0de'],
    [
      'the final name while Compose replaces a container',
      [`/${old.slice(0, 12)}_web`],
      { 'com.docker.compose.replace': old },
      'web',
    ],
    ['the final name of what Compose version 1 is about to remove', [`/${Id.slice(0, 12)}_web`], {}, 'web'],
    ['a name that merely looks like it', ['/0123456789ab_web'], {}, '0123456789ab_web'],
    ['what is visible of a name with control characters', ['/we\u001b[31mb\u202e'], {}, 'web'],
  ])('is %s', (_what, Names, Labels, name) => {
    expect(stableName({ Id, Names, Labels })).toBe(name);
  });

  it('is cut to a length that can be shown', () => {
    expect(stableName({ Id, Names: [`/${'a'.repeat(500)}`], Labels: null })).toHaveLength(128);
  });
});
