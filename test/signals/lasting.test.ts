import { describe, expect, test } from 'vitest';
import type { BadStreak, Judgement, VerdictMemory } from '../../signals/detector.ts';
import { confirming, type LastingInput, LOOKS_APART_MS, lasting, settled } from '../../signals/lasting.ts';
import { noSettings, resolveLimit } from '../../signals/limits.ts';
import { stateLimit } from '../../signals/state-limit.ts';
import { resourceOf } from '../support/signal-story.ts';

const NOW = 100_000_000;

const known = (bad: BadStreak | null, severity: VerdictMemory['severity'] = null): VerdictMemory => ({
  severity,
  level: null,
  sinceMs: 0,
  bad,
  seenAtMs: 0,
});

/** Looks at the given times, each with the memory of the one before. */
const looksAt = (times: readonly number[], more: Omit<LastingInput, 'nowMs' | 'before'>) => {
  let before: VerdictMemory | null = null;
  return times.map((time) => {
    const result = lasting({ nowMs: NOW + time, before, ...more });
    before = known(result.bad);
    return result;
  });
};

describe('twice', () => {
  test('is two looks at least a minute apart', () => {
    const [first, tooSoon, second] = looksAt([0, LOOKS_APART_MS - 1, LOOKS_APART_MS], { looks: 2 });
    expect([first?.counts, tooSoon?.counts, second?.counts]).toEqual([false, false, true]);
    expect(first?.retryAtMs).toBe(NOW + LOOKS_APART_MS);
    expect(second?.bad).toEqual({ sinceMs: NOW, lastAtMs: NOW + LOOKS_APART_MS, looks: 2 });
  });

  test('many looks in quick succession become two once a minute has passed', () => {
    const results = looksAt([0, 30_000, 59_000, 61_000], { looks: 2 });
    expect(results.map(({ counts }) => counts)).toEqual([false, false, false, true]);
  });

  test('hours may lie between, where only patrols run', () => {
    expect(looksAt([0, 6 * 3_600_000], { looks: 2 }).at(-1)?.counts).toBe(true);
  });
});

describe('a time', () => {
  test('counts from the first look', () => {
    const results = looksAt([0, 299_999, 300_000], { forMs: 300_000 });
    expect(results.map(({ counts }) => counts)).toEqual([false, false, true]);
    expect(results[0]?.retryAtMs).toBe(NOW + 300_000);
  });

  test('counts from where the evidence says it began', () => {
    const { counts, bad } = lasting({ nowMs: NOW, before: null, knownSinceMs: NOW - 300_000, forMs: 300_000 });
    expect([counts, bad.sinceMs]).toEqual([true, NOW - 300_000]);
  });

  test('evidence from the future counts from now', () => {
    expect(lasting({ nowMs: NOW, before: null, knownSinceMs: NOW + 5_000, forMs: 1 }).bad.sinceMs).toBe(NOW);
  });

  test('begins anew where the evidence says that it was well in between', () => {
    const before = known({ sinceMs: NOW - 3_600_000, lastAtMs: NOW - 600_000, looks: 5 });
    const { counts, bad } = lasting({ nowMs: NOW, before, knownSinceMs: NOW - 60_000, forMs: 300_000 });
    expect(counts).toBe(false);
    expect(bad).toEqual({ sinceMs: NOW - 60_000, lastAtMs: NOW, looks: 1 });
  });
});

test('what was raised before needs no new confirmation', () => {
  expect(lasting({ nowMs: NOW, before: known(null, 'warning'), looks: 2, forMs: 1_000_000 }).counts).toBe(true);
});

test('a streak from the future, written before the clock was set back, does not hold up the count', () => {
  const before = known({ sinceMs: NOW + 86_400_000, lastAtMs: NOW + 86_400_000, looks: 1 });
  const first = lasting({ nowMs: NOW, before, looks: 2 });
  expect(first).toMatchObject({ counts: false, bad: { sinceMs: NOW, lastAtMs: NOW } });
  const second = lasting({ nowMs: NOW + LOOKS_APART_MS, before: known(first.bad), looks: 2 });
  expect(second.counts).toBe(true);
});

test('while it is being confirmed the answer is unobserved, keeps the streak and says when to ask again', () => {
  const streak = lasting({ nowMs: NOW, before: null, knownSinceMs: NOW - 120_000, forMs: 300_000 });
  expect(confirming('eth0 down', streak, NOW, 'bond0')).toEqual({
    state: 'unobserved',
    subject: 'bond0',
    code: 'confirming',
    reason: 'eth0 down, for 2 min so far; looked at again before it counts',
    bad: streak.bad,
    retryAtMs: NOW + 180_000,
  });
});

describe('a `for` that the operator wrote for a fault that counts at once', () => {
  const spec = stateLimit({ metric: 'degraded', kinds: ['array'], because: '' });
  const limit = (forMs: number) => resolveLimit({ ...spec, forMs }, noSettings, resourceOf('array'));
  const raised: Judgement = {
    state: 'raised',
    subject: null,
    severity: 'critical',
    level: null,
    summary: 'one of two devices active',
    clearsWhen: '',
    evidence: [],
  };

  test('makes it wait, and keeps since when', () => {
    const first = settled(raised, limit(60_000), null, NOW);
    expect(first).toMatchObject({
      state: 'unobserved',
      code: 'confirming',
      reason: expect.stringContaining('one of two'),
    });
    const memory = known(first.state === 'unobserved' ? (first.bad ?? null) : null);
    expect(settled(raised, limit(60_000), memory, NOW + 60_000)).toMatchObject({
      state: 'raised',
      bad: { sinceMs: NOW },
    });
  });

  test('counts from where the evidence says it began', () => {
    expect(settled({ ...raised, sinceMs: NOW - 60_000 }, limit(60_000), null, NOW).state).toBe('raised');
  });

  test('changes nothing where it is 0, where it was raised before, or where nothing is raised', () => {
    expect(settled(raised, limit(0), null, NOW)).toBe(raised);
    expect(settled(raised, limit(60_000), known(null, 'critical'), NOW).state).toBe('raised');
    expect(settled({ state: 'clear', subject: null }, limit(60_000), null, NOW).state).toBe('clear');
  });
});
