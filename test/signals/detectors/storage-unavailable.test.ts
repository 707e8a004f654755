import { describe, expect, test } from 'vitest';
import { storageUnavailable } from '../../../signals/detectors/storage-unavailable.ts';
import type { ReadingOf } from '../../../signals/reading.ts';
import { tell } from '../../support/readings.ts';
import { MINUTE_MS, resourceOf, signalOf, startStory } from '../../support/signal-story.ts';

type State = Partial<ReadingOf<'storage_state'>>;
const storage = resourceOf('storage', { name: 'nfs', expects: ['storage_state'] });
const story = () => startStory({ detector: storageUnavailable, resource: storage });
const state = (more: State = {}) => [tell('storage_state', more)];
const second = (more: State) => {
  const one = story();
  one.look(state(more));
  return one.wait(MINUTE_MS).look(state(more)).states;
};

describe('a storage', () => {
  test.each<[string, State, Readonly<Record<string, string>>]>([
    ['active', {}, { '': 'clear' }],
    ['inactive, with disks of guests', { active: false, inactiveOn: ['pve1'] }, { '': 'raised:critical' }],
    ['inactive, for backups', { active: false, holdsGuestDisks: false }, { '': 'raised:warning' }],
    ['inactive, and nobody knows what is on it', { active: false, holdsGuestDisks: null }, { '': 'raised:warning' }],
    ['disabled (field case 8)', { enabled: false, active: false }, {}],
    ['unknown', { active: null }, { '': 'unobserved:stale' }],
  ])('%s', (_, more, states) => {
    expect(second(more)).toEqual(states);
  });

  test('is looked at twice, says where it is missing, and is over when it is back', () => {
    const one = story();
    const away = state({ active: false, inactiveOn: ['pve1', 'pve2', 'pve3', 'pve4', 'pve5'] });
    expect(one.look(away).states).toEqual({ '': 'unobserved:confirming' });
    expect(signalOf(one.wait(5 * MINUTE_MS).look(away)).summary).toBe(
      'nfs is not active on pve1, pve2, pve3, pve4 and 1 more, for 5 min; disks of guests are on it',
    );
    expect(one.wait(MINUTE_MS).look(state()).states).toEqual({ '': 'clear' });
  });
});
