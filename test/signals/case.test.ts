import { describe, expect, test } from 'vitest';
import { type AnyDetector, clear, type Judgement, unobserved } from '../../signals/detector.ts';
import type { evaluate } from '../../signals/evaluate.ts';
import { cpu, detectorOf, gap, host, NOW, play, raised, told } from '../support/verdict-scene.ts';

describe('subjects', () => {
  const lists = (...judgements: readonly Judgement[]): AnyDetector => detectorOf(() => judgements);

  test('each have one verdict, also when a detector names one twice', () => {
    expect(
      told(
        play({ detector: lists(clear('a'), raised('critical', 'a'), raised('warning', 'b'), raised('warning', 'a')) }),
      ),
    ).toEqual([
      ['a', 'critical'],
      ['b', 'warning'],
    ]);
  });

  test('that a whole look no longer holds are absent', () => {
    const received = NOW + 5;
    const { verdicts, absent } = play({
      detector: lists(clear('a')),
      readings: [cpu('host', { receivedAtMs: received })],
      memory: { a: {}, b: {} },
    });
    expect(verdicts).toMatchObject([{ subject: 'a', state: 'clear', memory: null }]);
    expect(absent).toEqual([{ detector: 'probe', resourceId: host.id, subject: 'b', lookAtMs: received }]);
  });

  test('that a look with nothing in it no longer holds are absent too', () => {
    expect(play({ detector: lists(), memory: { b: {} } })).toMatchObject({
      verdicts: [],
      skipped: [],
      absent: [{ subject: 'b' }],
    });
  });

  test.each([
    ['a gap', { gaps: [gap('cut_short')] }, 'cut_short'],
    ['a gap of another source', { gaps: [gap('timed_out', { sourceId: 'metrics' })] }, 'timed_out'],
    ['a stale reading', { readings: [cpu(), cpu('host', { takenAtMs: 0 })] }, 'stale'],
  ] as const)('are unobserved, not absent, after a look with %s', (_, scene, code) => {
    const { verdicts, absent } = play({ detector: lists(clear('a')), memory: { b: {} }, ...scene });
    expect(absent).toEqual([]);
    expect(verdicts).toMatchObject([
      { subject: 'a', state: 'clear' },
      { subject: 'b', state: 'unobserved', code, memory: { severity: 'warning' } },
    ]);
  });

  test('are unobserved, not absent, when the list itself could not be seen', () => {
    const { verdicts, absent } = play({ detector: lists(unobserved('malformed', 'why')), memory: { b: {} } });
    expect(absent).toEqual([]);
    expect(told({ verdicts } as ReturnType<typeof evaluate>)).toEqual([
      [null, 'malformed'],
      ['b', 'malformed'],
    ]);
  });

  test('of a source that is not due are neither absent nor unobserved while another one answers', () => {
    const gaps = [gap('not_due', { sourceId: 'metrics' })];
    const scene = { detector: lists(clear('a')), gaps };
    const waiting = play({ ...scene, memory: { b: { sourceIds: ['metrics'] }, c: {} } });
    expect(waiting.absent).toEqual([]);
    expect(told(waiting)).toEqual([['a', 'clear']]);
    expect(play({ ...scene, memory: { b: { sourceIds: ['this-host'] } } }).absent).toMatchObject([{ subject: 'b' }]);
  });

  test('are absent beside a source that never tells of them', () => {
    const { absent } = play({
      detector: lists(clear('a')),
      gaps: [gap('not_supported', { sourceId: 'metrics' })],
      memory: { b: {} },
    });
    expect(absent).toMatchObject([{ subject: 'b' }]);
  });

  test('that never had a name are told as one unobserved part', () => {
    expect(told(play({ detector: lists(clear('a')), gaps: [gap('not_permitted')] }))).toEqual([
      ['a', 'clear'],
      [null, 'not_permitted'],
    ]);
    expect(told(play({ detector: lists(clear()), gaps: [gap('not_permitted')] }))).toEqual([[null, 'clear']]);
  });
});
