import { describe, expect, test } from 'vitest';
import { replicationFailed } from '../../../signals/detectors/replication-failed.ts';
import type { ReadingOf } from '../../../signals/reading.ts';
import { tell } from '../../support/readings.ts';
import { HOUR_MS, MINUTE_MS, resourceOf, START_MS, signalOf, startStory } from '../../support/signal-story.ts';

type Job = Partial<ReadingOf<'replication'>>;
const guest = resourceOf('vm', { name: 'web', expects: ['replication'] });
const story = () => startStory({ detector: replicationFailed, resource: guest });
const job = (more: Job = {}) => tell('replication', { job: '104-0', lastSyncAtMs: START_MS - 600_000, ...more });
const late = { dueAtMs: [START_MS - 2 * HOUR_MS, START_MS - HOUR_MS] } as const;

describe('a replication job', () => {
  test.each<[string, Job, Readonly<Record<string, string>>]>([
    ['that runs on time', {}, { '104-0': 'clear' }],
    ['whose last run failed', { failCount: 1, error: 'no route to host' }, { '104-0': 'raised:warning' }],
    ['that failed without a word', { failCount: 3 }, { '104-0': 'raised:warning' }],
    ['that missed one time', { dueAtMs: [START_MS - 1, START_MS + HOUR_MS] }, { '104-0': 'clear' }],
    ['that missed two times', late, { '104-0': 'raised:warning' }],
    ['that is running', { ...late, running: true }, { '104-0': 'unobserved:confirming' }],
    ['whose schedule is not understood', { dueAtMs: null }, { '104-0': 'clear' }],
    ['that is disabled', { enabled: false, failCount: 9, error: 'x' }, {}],
    ['that never ran and failed', { lastSyncAtMs: null, failCount: 1, error: 'x' }, { '104-0': 'raised:warning' }],
  ])('%s', (_, more, states) => {
    expect(story().look([job(more)]).states).toEqual(states);
  });

  test('stands beside another one of the same guest', () => {
    const readings = [job({ failCount: 1, error: 'x' }), job({ job: '104-1', target: 'pve3' })];
    expect(story().look(readings).states).toEqual({ '104-0': 'raised:warning', '104-1': 'clear' });
  });

  test('is not over while it tries again, and is when it got through', () => {
    const one = story();
    one.look([job({ failCount: 2, error: 'no route to host' })]);
    const trying = job({ failCount: 2, error: 'no route to host', running: true });
    expect(one.wait(MINUTE_MS).look([trying]).states).toEqual({ '104-0': 'raised:warning' });
    expect(one.wait(MINUTE_MS).look([job()]).states).toEqual({ '104-0': 'clear' });
  });

  test('says what failed, how often, and how old the copy is', () => {
    expect(signalOf(story().look([job({ failCount: 2, error: 'no route to host' })])).summary).toBe(
      'replication 104-0 of web to pve2: its last run failed, 2 times in a row: no route to host; last copy 10 min ago',
    );
    expect(signalOf(story().look([job({ ...late, lastSyncAtMs: null })])).summary).toContain('it has never succeeded');
  });
});
