import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { zfsUnhealthy } from '../../../signals/detectors/zfs-unhealthy.ts';
import { metrics } from '../../../signals/history.ts';
import type { ZfsMember, ZfsScan } from '../../../signals/reading.ts';
import { tell } from '../../support/readings.ts';
import {
  DAY_MS,
  HOUR_MS,
  MINUTE_MS,
  rankOf,
  resourceOf,
  START_MS,
  settingsOf,
  startStory,
} from '../../support/signal-story.ts';

const pool = resourceOf('pool', { expects: ['zfs_pool'] });
const story = (metric = 'zfsHealth', settings: Record<string, unknown> = {}) =>
  startStory({ detector: zfsUnhealthy, resource: pool, settings: settingsOf('pool', metric, settings) });
const told = (more: Parameters<typeof tell<'zfs_pool'>>[1] = {}) => [tell('zfs_pool', more)];
const member = (name: string, more: Partial<ZfsMember> = {}): ZfsMember => ({
  name,
  state: 'ONLINE',
  readErrors: 0,
  writeErrors: 0,
  checksumErrors: 0,
  ...more,
});
const signals = (look: ReturnType<ReturnType<typeof story>['look']>) =>
  look.verdicts.flatMap((verdict) => (verdict.state === 'raised' ? [verdict.signal] : []));

describe('the state of a pool', () => {
  test.each([
    ['ONLINE', true, 0, 'clear'],
    ['DEGRADED', true, 0, 'raised:warning'],
    ['DEGRADED', null, 0, 'raised:warning'],
    ['DEGRADED', false, 0, 'raised:critical'],
    ['FAULTED', null, 0, 'raised:critical'],
    ['UNAVAIL', null, null, 'raised:critical'],
    ['SUSPENDED', null, 0, 'raised:critical'],
    ['ONLINE', true, 3, 'raised:critical'],
    ['DEGRADED', true, 1, 'raised:critical'],
    ['ONLINE', null, null, 'unobserved:not_supported'],
  ] as const)('%s, redundancy left %s, %s data errors is %s', (state, redundancyLeft, dataErrors, expected) => {
    expect(story().look(told({ state, redundancyLeft, dataErrors })).states['']).toBe(expected);
  });

  test('is told with the members that are not well, the redundancy, and what runs', () => {
    const members = [
      member('raidz1-0', { state: 'DEGRADED' }),
      member('ata-A'),
      member('ata-B', { state: 'FAULTED' }),
      member('spare', { state: 'AVAIL' }),
    ];
    const scan: ZfsScan = { kind: 'resilver', state: 'running', startedAtMs: START_MS - HOUR_MS, finishedAtMs: null };
    expect(signals(story().look(told({ state: 'DEGRADED', redundancyLeft: false, members, scan })))).toMatchObject([
      {
        key: 'zfs_unhealthy',
        severity: 'critical',
        summary:
          'pool is DEGRADED; no redundancy is left: the next failure loses data; raidz1-0 is DEGRADED, ata-B is FAULTED; a resilver is running',
        clearsWhen: 'the pool is ONLINE without data errors',
      },
    ]);
  });

  test('clears after the resilver', () => {
    const one = story();
    one.look(told({ state: 'DEGRADED', redundancyLeft: false }));
    expect(one.wait(HOUR_MS).look(told()).states['']).toBe('clear');
  });
});

describe('error counters of a member', () => {
  const errors = (readErrors: number, checksumErrors = 0) =>
    told({ members: [member('ata-A', { readErrors, checksumErrors }), member('ata-B')] });

  test('that stand at the first look are a baseline', () => {
    expect(story().look(errors(500)).states).toEqual({ '': 'clear', scrub: 'clear' });
  });

  test('that rise are a finding of that member', () => {
    const one = story();
    one.look(errors(500));
    const look = one.wait(HOUR_MS).look(errors(500, 3));
    expect(look.states).toEqual({ '': 'clear', 'ata-A': 'raised:warning', scrub: 'clear' });
    expect(signals(look)).toMatchObject([
      {
        key: 'zfs_unhealthy:ata-A',
        summary:
          'ata-A: 3 new errors within 7 d, limit 1 (default); now 500 read, 0 write, 3 checksum; the last ones seen 0 s ago',
        level: { value: 3, unit: 'count' },
      },
    ]);
  });

  test('clear after a week without new ones, and not before', () => {
    const one = story();
    one.look(errors(0));
    one.wait(HOUR_MS).look(errors(2));
    expect(one.wait(6 * DAY_MS).look(errors(2)).states['ata-A']).toBe('raised:warning');
    expect(one.wait(2 * DAY_MS).look(errors(2)).states['ata-A']).toBe('clear');
    expect(one.wait(HOUR_MS).look(errors(2)).states).not.toHaveProperty('ata-A');
  });

  test('that were reset by `zpool clear` count what they show afterwards', () => {
    const one = story();
    one.look(errors(500));
    expect(one.wait(HOUR_MS).look(errors(0)).states).not.toHaveProperty('ata-A');
    expect(one.wait(HOUR_MS).look(errors(1)).states['ata-A']).toBe('raised:warning');
  });

  test('of a member that was replaced are absent', () => {
    const one = story();
    one.look(errors(0));
    one.wait(HOUR_MS).look(errors(2));
    expect(one.wait(HOUR_MS).look(told({ members: [member('ata-B')] })).absent).toMatchObject([{ subject: 'ata-A' }]);
  });

  test('can be given another limit, and switched off', () => {
    const past = [[START_MS - HOUR_MS, 0]] as const;
    expect(
      story('zfsErrors', { warning: 5 }).past(metrics.zfsMemberErrors('ata-A'), past).look(errors(4)).states,
    ).not.toHaveProperty('ata-A');
    expect(
      story('zfsErrors', { off: true }).past(metrics.zfsMemberErrors('ata-A'), past).look(errors(400)).states,
    ).not.toHaveProperty('ata-A');
  });
});

describe('a scrub', () => {
  const scrubbed = (daysAgo: number, more: Partial<ZfsScan> = {}) =>
    told({
      scan: {
        kind: 'scrub',
        state: 'finished',
        startedAtMs: START_MS - daysAgo * DAY_MS - HOUR_MS,
        finishedAtMs: START_MS - daysAgo * DAY_MS,
        ...more,
      },
    });

  test.each([
    [0, 'clear'],
    [39.9, 'clear'],
    [40, 'raised:warning'],
    [400, 'raised:warning'],
  ])('%d days ago is %s', (daysAgo, state) => {
    expect(story().look(scrubbed(daysAgo)).states['scrub']).toBe(state);
  });

  test('that is overdue is told with its age', () => {
    expect(signals(story().look(scrubbed(62)))).toMatchObject([
      {
        key: 'zfs_unhealthy:scrub',
        severity: 'warning',
        summary: 'last scrub finished 62 d ago, limit 40 d (default)',
      },
    ]);
  });

  test('clears when one runs, and when one has finished', () => {
    const one = story();
    one.look(scrubbed(62));
    expect(one.wait(HOUR_MS).look(scrubbed(0, { state: 'running', finishedAtMs: null })).states['scrub']).toBe('clear');
  });

  test('that a resilver hides counts from the resilver', () => {
    expect(story().look(scrubbed(5, { kind: 'resilver' })).states['scrub']).toBe('clear');
    expect(signals(story().look(scrubbed(50, { kind: 'resilver' })))).toMatchObject([
      { summary: expect.stringContaining('last resilver 50 d ago') },
    ]);
  });

  test('that was cancelled counts from its start', () => {
    expect(story().look(scrubbed(50, { state: 'canceled', finishedAtMs: null })).states['scrub']).toBe(
      'raised:warning',
    );
  });

  test('that never was counts from the pool’s birth', () => {
    expect(story().look(told({ scan: null, createdAtMs: START_MS - 10 * DAY_MS })).states['scrub']).toBe('clear');
    const old = story().look(told({ scan: null, createdAtMs: START_MS - 90 * DAY_MS }));
    expect(signals(old)).toMatchObject([
      { summary: expect.stringContaining('created, and never scrubbed since 90 d ago') },
    ]);
  });

  test('of which a source tells nothing is no part of its answer', () => {
    expect(story().look(told({ scan: null, createdAtMs: null })).states).toEqual({ '': 'clear' });
  });

  test('may be due earlier, or not at all', () => {
    expect(story('zfsScrubAge', { warning: 14 }).look(scrubbed(20)).states['scrub']).toBe('raised:warning');
    expect(story('zfsScrubAge', { off: true }).look(scrubbed(400)).states).toEqual({ '': 'clear' });
  });
});

test('a pool that could not be read leaves every part as it was, over a restart too', () => {
  const one = story();
  one.look(
    told({
      state: 'DEGRADED',
      redundancyLeft: false,
      scan: { kind: 'scrub', state: 'finished', startedAtMs: 0, finishedAtMs: 1 },
    }),
  );
  const gaps = [{ sourceId: 'host', reads: ['zfs_pool'], code: 'timed_out', reason: 'hangs' }] as const;
  expect(one.restart().wait(MINUTE_MS).look([], { gaps }).states).toEqual({
    '': 'unobserved:timed_out',
    scrub: 'unobserved:timed_out',
  });
  expect(one.memory()).toMatchObject({ severity: 'critical', sinceMs: START_MS });
});

test('a worse state, fewer redundancy, or more data errors never lower the severity', () => {
  const redundancy = fc.constantFrom(true, null, false);
  const worth = (left: boolean | null): number => (left === true ? 0 : left === null ? 1 : 2);
  fc.assert(
    fc.property(
      fc.constantFrom('ONLINE', 'DEGRADED', 'FAULTED'),
      redundancy,
      redundancy,
      fc.nat(3),
      fc.nat(3),
      (state, a, b, few, many) => {
        const [better, worse] = worth(a) <= worth(b) ? [a, b] : [b, a];
        const rank = (redundancyLeft: boolean | null, dataErrors: number) =>
          rankOf(story().look(told({ state, redundancyLeft, dataErrors })));
        expect(rank(worse, 0)).toBeGreaterThanOrEqual(rank(better, 0));
        expect(rank(a, few + many)).toBeGreaterThanOrEqual(rank(a, few));
      },
    ),
  );
});
