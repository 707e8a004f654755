import { describe, expect, it } from 'vitest';
import { chooseContainers } from '../../../src/sources/docker/choose-containers.ts';
import { type Listed, listedSchema } from '../../../src/sources/docker/container-schema.ts';
import { dockerLimits } from '../../../src/sources/docker/docker-limits.ts';
import { listedAnswer } from '../../support/scripted-engine.ts';

const listed = (number: number, name: string, more: Record<string, unknown> = {}): Listed =>
  listedSchema.parse(listedAnswer(number, name, more));

const task = (number: number, State: string, Created: number): Listed =>
  listed(number, `web.1.task${number}`, {
    State,
    Created,
    Labels: {
      'com.docker.swarm.service.name': 'web',
      'com.docker.swarm.task.name': `web.1.task${number}`,
      'com.docker.swarm.task.id': `task${number}`,
    },
  });

describe('chooseContainers', () => {
  it('sorts by name, and leaves out what is ignored', () => {
    const { containers, leftOut } = chooseContainers(
      [listed(1, 'web'), listed(2, 'db'), listed(3, 'db-test')],
      ['*-test'],
    );
    expect(containers.map(({ name }) => name)).toEqual(['db', 'web']);
    expect(leftOut).toBe(0);
  });

  it('takes of the finished and running tasks of one Swarm slot the running one', () => {
    const { containers } = chooseContainers(
      [task(1, 'exited', 300), task(2, 'running', 200), task(3, 'exited', 100)],
      [],
    );
    expect(containers.map(({ name, listed: { Id } }) => [name, Id])).toEqual([['web.1', task(2, '', 0).Id]]);
  });

  it('takes of several finished tasks the newest', () => {
    const { containers } = chooseContainers(
      [task(1, 'exited', 100), task(2, 'exited', 300), task(3, 'exited', 200)],
      [],
    );
    expect(containers.map(({ listed: { Id } }) => Id)).toEqual([task(2, '', 0).Id]);
  });

  it('counts what is over the limit', () => {
    const many = Array.from({ length: dockerLimits.containers + 3 }, (_, index) => listed(index + 1, `c${index}`));
    expect(chooseContainers(many, []).leftOut).toBe(3);
  });
});
