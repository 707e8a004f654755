import { describe, expect, test } from 'vitest';
import { filesystemReadOnly } from '../../../signals/detectors/filesystem-read-only.ts';
import { metrics } from '../../../signals/history.ts';
import type { Facts } from '../../../signals/resource.ts';
import { tell } from '../../support/readings.ts';
import {
  DAY_MS,
  HOUR_MS,
  MINUTE_MS,
  resourceOf,
  START_MS,
  settingsOf,
  signalOf,
  startStory,
} from '../../support/signal-story.ts';

const story = (facts: Facts = { fsType: 'ext4' }, settings: Record<string, unknown> = {}) =>
  startStory({
    detector: filesystemReadOnly,
    resource: resourceOf('filesystem', { expects: ['filesystem'], facts }),
    settings: settingsOf('filesystem', 'readOnly', settings),
  });
const mounted = (superblockReadOnly: boolean | null) => [tell('filesystem', { superblockReadOnly })];

describe('at the first look', () => {
  test.each([
    [false, 'clear'],
    [true, 'clear'],
    [null, 'unobserved:not_supported'],
  ] as const)('read-only %s is %s: a baseline', (readOnly, state) => {
    expect(story().look(mounted(readOnly)).states).toEqual({ '': state });
  });

  test('what the source knows to be meant writable is a fault at once', () => {
    const signal = signalOf(story({ meantWritable: true }).look(mounted(true)));
    expect(signal).toMatchObject({
      severity: 'critical',
      key: 'filesystem_read_only',
      summary: 'read-only by its superblock; it is meant to be writable',
    });
  });

  test('a past that the source keeps counts', () => {
    const one = story().past(metrics.readOnly, [
      [START_MS - 3 * DAY_MS, 0],
      [START_MS - 2 * HOUR_MS, 1],
    ]);
    expect(signalOf(one.look(mounted(true)))).toMatchObject({ sinceMs: START_MS - 2 * HOUR_MS });
  });
});

test('what was writable and is not any more is critical at once, and clears when it is writable again', () => {
  const one = story();
  one.look(mounted(false));
  const turned = signalOf(one.wait(5 * MINUTE_MS).look(mounted(true)));
  expect(turned).toMatchObject({
    severity: 'critical',
    clearsWhen: 'it is writable again',
    sinceMs: START_MS + 5 * MINUTE_MS,
    level: null,
  });
  expect(signalOf(one.wait(5 * MINUTE_MS).look(mounted(true)))).toMatchObject({ sinceMs: START_MS + 5 * MINUTE_MS });
  expect(one.wait(5 * MINUTE_MS).look(mounted(false)).states).toEqual({ '': 'clear' });
  expect(one.wait(5 * MINUTE_MS).look(mounted(true)).states).toEqual({ '': 'raised:critical' });
});

test('it stays raised over a restart, and where the past has been forgotten', () => {
  const one = story({ meantWritable: true });
  one.look(mounted(true));
  const forgetful = story();
  forgetful.look(mounted(false));
  forgetful.wait(MINUTE_MS).look(mounted(true));
  expect(forgetful.restart().wait(HOUR_MS).look(mounted(true)).states).toEqual({ '': 'raised:critical' });
  expect(one.restart().wait(HOUR_MS).look(mounted(true)).states).toEqual({ '': 'raised:critical' });
});

test('a look that can not tell leaves it as it was', () => {
  const one = story();
  one.look(mounted(false));
  one.wait(MINUTE_MS).look(mounted(true));
  expect(one.wait(MINUTE_MS).look(mounted(null)).states).toEqual({ '': 'unobserved:not_supported' });
  expect(one.memory()).toMatchObject({ severity: 'critical' });
});

test.each(['squashfs', 'iso9660', 'erofs'])('a %s is read-only by design', (fsType) => {
  expect(story({ fsType }).look(mounted(true))).toMatchObject({ verdicts: [], skipped: [{ code: 'out_of_scope' }] });
});

test('the operator may switch it off', () => {
  expect(story({}, { off: true }).look(mounted(true))).toMatchObject({
    verdicts: [],
    skipped: [{ code: 'switched_off' }],
  });
});
