import { expect, test } from 'vitest';
import { type Answer, worstBySubject } from '../../signals/answer.ts';
import { clear, type Judgement, type Severity, unobserved, type VerdictMemory } from '../../signals/detector.ts';

const raised = (severity: Severity): Judgement => ({
  state: 'raised',
  subject: null,
  severity,
  level: null,
  summary: '',
  clearsWhen: '',
  evidence: [],
});
const raisedBefore = (sourceIds: readonly string[]): ReadonlyMap<string, VerdictMemory> =>
  new Map([['', { severity: 'warning', level: null, sinceMs: 0, bad: null, seenAtMs: 0, sourceIds }]]);
const blind = unobserved('timed_out', 'no answer');

const states = (answers: readonly Answer[], before?: ReadonlyMap<string, VerdictMemory>) =>
  worstBySubject(answers, before).map(({ judgement, sourceId }) => [judgement.state, sourceId]);

test('the worst answer counts, and it is known whose it is', () => {
  const answers = [
    { judgement: clear(), sourceId: 'a' },
    { judgement: raised('warning'), sourceId: 'b' },
    { judgement: raised('critical'), sourceId: 'c' },
  ];
  expect(states(answers)).toEqual([['raised', 'c']]);
  expect(states(answers.toReversed())).toEqual([['raised', 'c']]);
});

test('a source that saw it outweighs one that did not', () => {
  expect(
    states([
      { judgement: blind, sourceId: 'a' },
      { judgement: clear(), sourceId: 'b' },
    ]),
  ).toEqual([['clear', 'b']]);
});

test('a source that raised it and can not tell now keeps another one from clearing it', () => {
  const answers = [
    { judgement: clear(), sourceId: 'b' },
    { judgement: blind, sourceId: 'a' },
  ];
  expect(states(answers, raisedBefore(['a']))).toEqual([['unobserved', 'a']]);
  expect(states(answers, raisedBefore(['b']))).toEqual([['clear', 'b']]);
});

test('subjects are weighed apart', () => {
  expect(
    worstBySubject(
      [
        { judgement: clear('x'), sourceId: 'a' },
        { judgement: clear('y'), sourceId: 'b' },
      ],
      undefined,
    ),
  ).toHaveLength(2);
});
