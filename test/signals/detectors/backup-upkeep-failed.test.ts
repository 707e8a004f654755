import { describe, expect, test } from 'vitest';
import { backupUpkeepFailed } from '../../../signals/detectors/backup-upkeep-failed.ts';
import type { ReadingOf } from '../../../signals/reading.ts';
import { tell } from '../../support/readings.ts';
import { HOUR_MS, MINUTE_MS, resourceOf, START_MS, signalOf, startStory } from '../../support/signal-story.ts';

type Job = Partial<ReadingOf<'upkeep'>>;
const store = resourceOf('datastore', { name: 'main', expects: ['upkeep'] });
const story = () => startStory({ detector: backupUpkeepFailed, resource: store });
const ended = (outcome: 'ok' | 'warnings' | 'failed', reason: string | null = null) => ({
  startedAtMs: START_MS - 2 * HOUR_MS,
  endedAtMs: START_MS - HOUR_MS,
  outcome,
  reason,
});
const job = (more: Job = {}) => tell('upkeep', more);
const late = { dueAtMs: [START_MS - 2 * HOUR_MS, START_MS - HOUR_MS] } as const;

describe('a job that keeps a store in order', () => {
  test.each<[string, Job, Readonly<Record<string, string>>]>([
    ['on time', {}, { gc: 'clear' }],
    ['failed', { lastRun: ended('failed', 'chunk missing') }, { gc: 'raised:warning' }],
    ['ended with warnings', { lastRun: ended('warnings') }, { gc: 'clear' }],
    ['missed once', { dueAtMs: [START_MS - 1, START_MS + HOUR_MS] }, { gc: 'clear' }],
    ['missed twice', late, { gc: 'raised:warning' }],
    ['late and running', { ...late, running: true }, { gc: 'unobserved:confirming' }],
    ['never run, without a schedule', { lastRun: null, dueAtMs: null }, { gc: 'clear' }],
    ['never run, and missed twice', { lastRun: null, ...late }, { gc: 'raised:warning' }],
    ['disabled', { enabled: false, lastRun: ended('failed') }, {}],
    [
      'a prune job of its own name',
      { action: 'prune', job: 'nightly', lastRun: ended('failed') },
      { 'prune:nightly': 'raised:warning' },
    ],
  ])('%s', (_, more, states) => {
    expect(story().look([job(more)]).states).toEqual(states);
  });

  test('is one of several with the same name', () => {
    const readings = [job({ action: 'verify', job: 'a', lastRun: ended('failed') }), job({ action: 'sync', job: 'a' })];
    expect(story().look(readings).states).toEqual({ 'verify:a': 'raised:warning', 'sync:a': 'clear' });
  });

  test('says what failed, when and why, and is over with a good run', () => {
    const one = story();
    expect(signalOf(one.look([job({ lastRun: ended('failed', 'chunk missing') })])).summary).toBe(
      'the garbage collection of main: its last run failed 60 min ago: chunk missing',
    );
    expect(one.wait(MINUTE_MS).look([job({ lastRun: ended('failed'), running: true })]).states).toEqual({
      gc: 'raised:warning',
    });
    expect(one.wait(MINUTE_MS).look([job()]).states).toEqual({ gc: 'clear' });
  });
});
