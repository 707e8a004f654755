import { expect, test } from 'vitest';
import { whyBlind } from '../../signals/blind.ts';
import { clear, unobserved } from '../../signals/detector.ts';

const whole = { reads: ['backup'], gaps: [], unfresh: 0, judgements: [clear('a')] } as const;

test('a look without gaps, stale readings or a general "unobserved" is whole', () => {
  expect(whyBlind(whole)).toBeNull();
});

test('a gap in what the detector reads makes it blind, a gap elsewhere or one that is not due does not', () => {
  const gap = (reads: readonly ('backup' | 'cpu')[], code: 'timed_out' | 'not_due') => [{ reads, code, reason: 'why' }];
  expect(whyBlind({ ...whole, gaps: gap(['backup'], 'timed_out') })).toEqual({ code: 'timed_out', reason: 'why' });
  expect(whyBlind({ ...whole, gaps: gap([], 'timed_out') })?.code).toBe('timed_out');
  expect(whyBlind({ ...whole, gaps: gap(['cpu'], 'timed_out') })).toBeNull();
  expect(whyBlind({ ...whole, gaps: gap(['backup'], 'not_due') })).toBeNull();
});

test('a reading that was too old to judge makes it blind', () => {
  expect(whyBlind({ ...whole, unfresh: 1 })?.code).toBe('stale');
});

test('an answer that nothing could be seen makes it blind, one about a single subject does not', () => {
  expect(whyBlind({ ...whole, judgements: [unobserved('malformed', 'why')] })).toEqual({
    code: 'malformed',
    reason: 'why',
  });
  expect(whyBlind({ ...whole, judgements: [unobserved('malformed', 'why', 'a')] })).toBeNull();
});
