import { describe, expect, test } from 'vitest';
import type { Judgement } from '../../signals/detector.ts';
import { detectorOf, host, NOW, play, raised, type Scene } from '../support/verdict-scene.ts';

describe('a raised verdict', () => {
  const raise = (more: Partial<Extract<Judgement, { state: 'raised' }>> = {}, memory?: Scene['memory']) =>
    play({ detector: detectorOf(() => raised('critical', 'x', more)), ...(memory === undefined ? {} : { memory }) })
      .verdicts[0];

  test('carries everything that filing needs', () => {
    const level = { value: 5, limit: null, unit: 'count' } as const;
    expect(raise({ level, details: { a: 1 } })).toEqual({
      detector: 'probe',
      resourceId: host.id,
      subject: 'x',
      state: 'raised',
      memory: {
        severity: 'critical',
        level: 5,
        trigger: null,
        sinceMs: NOW,
        bad: null,
        seenAtMs: NOW,
        sourceIds: ['host'],
      },
      signal: {
        type: 'probe',
        resourceId: host.id,
        subject: 'x',
        key: 'probe:x',
        severity: 'critical',
        category: 'general',
        title: 'Probe',
        summary: 'it is wrong',
        clearsWhen: 'it is right',
        level,
        sinceMs: NOW,
        evidence: ['e1'],
        details: { a: 1 },
        sourceIds: ['host'],
      },
    });
  });

  test.each([
    ['now, when it is new', {}, undefined, NOW],
    ['when the evidence says so', { sinceMs: NOW - 9 }, undefined, NOW - 9],
    ['when its streak began', { bad: { sinceMs: NOW - 8, lastAtMs: NOW, looks: 2 } }, undefined, NOW - 8],
    ['when it was first raised', { sinceMs: NOW - 9 }, { x: { sinceMs: NOW - 99 } }, NOW - 99],
    ['by evidence earlier than the first verdict', { sinceMs: NOW - 99 }, { x: { sinceMs: NOW - 9 } }, NOW - 99],
    ['not since a memory that was not raised', {}, { x: { severity: null, sinceMs: 0 } }, NOW],
    ['never in the future', { sinceMs: NOW + 99 }, undefined, NOW],
  ] as const)('is since %s', (_, more, memory, sinceMs) => {
    expect(raise(more, memory)).toMatchObject({ memory: { sinceMs }, signal: { sinceMs } });
  });
});

test('a streak of bad looks is kept beside what was raised', () => {
  const bad = { sinceMs: 1, lastAtMs: 2, looks: 1 };
  const confirming: Judgement = {
    state: 'unobserved',
    subject: null,
    code: 'confirming',
    reason: '',
    bad,
    retryAtMs: NOW + 7,
  };
  const { verdicts } = play({ detector: detectorOf(() => confirming), memory: { '': { severity: 'critical' } } });
  expect(verdicts).toMatchObject([{ retryAtMs: NOW + 7, memory: { severity: 'critical', bad } }]);
});
