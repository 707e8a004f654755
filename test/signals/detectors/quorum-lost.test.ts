import { expect, test } from 'vitest';
import { quorumLost } from '../../../signals/detectors/quorum-lost.ts';
import { tell } from '../../support/readings.ts';
import { resourceOf, signalOf, startStory } from '../../support/signal-story.ts';

const cluster = resourceOf('cluster', { name: 'home', expects: ['quorum'] });
const story = () => startStory({ detector: quorumLost, resource: cluster });
const quorum = (quorate: boolean, ...online: readonly (boolean | null)[]) => [
  tell('quorum', { quorate, nodes: online.map((up, index) => ({ name: `pve${index + 1}`, online: up })) }),
];

test.each([
  ['all nodes there', quorum(true, true, true, true), 'clear'],
  ['one of three away', quorum(true, true, true, false), 'clear'],
  ['two of three away', quorum(false, true, false, false), 'raised:critical'],
  ['no quorum, and nobody knows who is away', quorum(false, true, null, null), 'raised:critical'],
  ['a single node', quorum(true, true), 'clear'],
])('with %s', (_, readings, expected) => {
  expect(story().look(readings).states).toEqual({ '': expected });
});

test('says who is away', () => {
  expect(signalOf(story().look(quorum(false, true, false, false))).summary).toBe(
    'not quorate; away: pve2, pve3, of 3 nodes',
  );
  expect(signalOf(story().look(quorum(false, ...Array.from({ length: 9 }, () => false)))).summary).toBe(
    'not quorate; away: pve1, pve2, pve3, pve4, pve5 and 4 more, of 9 nodes',
  );
  expect(signalOf(story().look(quorum(false, true, null))).summary).toContain('no node is reported as away');
});
