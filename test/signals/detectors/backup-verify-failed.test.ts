import { expect, test } from 'vitest';
import { backupVerifyFailed } from '../../../signals/detectors/backup-verify-failed.ts';
import { tell } from '../../support/readings.ts';
import { DAY_MS, resourceOf, START_MS, signalOf, startStory } from '../../support/signal-story.ts';

const guest = resourceOf('vm', { name: 'web', expects: ['backup_verification'] });
const story = () => startStory({ detector: backupVerifyFailed, resource: guest });
const verification = (failed: number, more: { readonly target?: string; readonly unverified?: number } = {}) =>
  tell('backup_verification', {
    failed: Array.from({ length: failed }, (_, index) => ({
      backup: `vm/104/${index + 1}`,
      atMs: START_MS - (index + 1) * DAY_MS,
    })),
    verified: 7,
    ...more,
  });

test.each([
  ['all verified', verification(0), 'clear'],
  ['none verified yet', verification(0, { unverified: 5 }), 'clear'],
  ['one damaged', verification(1), 'raised:critical'],
  ['several damaged', verification(5), 'raised:critical'],
])('with %s', (_, reading, expected) => {
  expect(story().look([reading]).states).toEqual({ main: expected });
});

test('targets are told apart, and one that is repaired is over', () => {
  const one = story();
  const looks = (first: number) => [verification(first), verification(1, { target: 'offsite' })];
  expect(one.look(looks(1)).states).toEqual({ main: 'raised:critical', offsite: 'raised:critical' });
  expect(one.wait(1).look(looks(0)).states).toEqual({ main: 'clear', offsite: 'raised:critical' });
});

test('names the newest of the damaged backups', () => {
  expect(signalOf(story().look([verification(5)])).summary).toBe(
    '5 backups of web on main failed verification: vm/104/1, vm/104/2, vm/104/3 and 2 more; 7 verified well',
  );
});
