import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { startFaultyEngine } from '../../bench/faulty-engine.ts';
import { openPatrolHouse } from '../support/patrol-house.ts';
import { temporaryDirectory } from '../support/temporary-directory.ts';

const DAY_MS = 86_400_000;

test.each([
  ['forty days ahead', 40 * DAY_MS],
  ['forty days back', -40 * DAY_MS],
  ['a minute back', -60_000],
])(
  'after the clock has jumped %s, and when it has been set right, each fault is the finding that it was',
  async (_, jumpMs) => {
    const engine = await startFaultyEngine(join(temporaryDirectory(), 'engine.sock'), 4);
    onTestFinished(() => engine.close());
    const house = openPatrolHouse({ sources: [{ id: 'docker', type: 'docker', socket: engine.socket }] });
    const ofContainers = (): readonly string[] =>
      house
        .all()
        .filter(({ key }) => key === 'container_exited')
        .map(({ id, state, episode }) => `${id} ${state} ${episode}`)
        .toSorted();
    engine.setFaulty((index) => index < 2);
    await house.look();
    const before = ofContainers();
    expect(before).toHaveLength(2);
    for (const byMs of [jumpMs, 61_000, 61_000, -jumpMs, 61_000]) {
      house.setAhead(byMs);
      expect((await house.look()).run.state).toBe('completed');
      expect(ofContainers()).toEqual(before);
    }
    engine.setFaulty(() => false);
    await house.look();
    expect(house.all().filter(({ key, state }) => key === 'container_exited' && state === 'resolved')).toHaveLength(2);
    await house.close();
  },
);
