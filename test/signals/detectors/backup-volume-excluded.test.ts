import { expect, test } from 'vitest';
import { backupVolumeExcluded } from '../../../signals/detectors/backup-volume-excluded.ts';
import { tell } from '../../support/readings.ts';
import { GIB, resourceOf, signalOf, startStory } from '../../support/signal-story.ts';

const guest = resourceOf('container', { name: 'files', expects: ['backup_volumes'] });
const story = () => startStory({ detector: backupVolumeExcluded, resource: guest });
const volume = (name: string, included: boolean, excludedOnPurpose = false) => ({
  name,
  sizeBytes: 8 * GIB,
  included,
  excludedOnPurpose,
});
const look = (...volumes: readonly ReturnType<typeof volume>[]) => [tell('backup_volumes', { volumes })];

test.each([
  ['all included', look(volume('rootfs', true), volume('mp0', true)), { rootfs: 'clear', mp0: 'clear' }],
  ['one left out', look(volume('rootfs', true), volume('mp0', false)), { rootfs: 'clear', mp0: 'raised:info' }],
  [
    'one left out on purpose',
    look(volume('rootfs', true), volume('mp0', false, true)),
    { rootfs: 'clear', mp0: 'clear' },
  ],
  ['no job includes the guest', look(volume('rootfs', false), volume('mp0', false)), {}],
  ['no disk at all', look(), {}],
])('with %s', (_, readings, states) => {
  expect(story().look(readings).states).toEqual(states);
});

test('names the disk and its size, and is over when a job takes it along', () => {
  const one = story();
  const { verdicts } = one.look(look(volume('rootfs', true), volume('mp0', false)));
  const [, raised] = verdicts;
  if (raised === undefined) throw new Error('no verdict');
  expect(signalOf({ verdict: raised }).summary).toBe('mp0 of files (8 GiB) is in no backup, though the guest is');
  expect(one.wait(1).look(look(volume('rootfs', true), volume('mp0', true))).states).toMatchObject({ mp0: 'clear' });
});
