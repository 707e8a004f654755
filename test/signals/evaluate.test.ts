import { describe, expect, test } from 'vitest';
import { type AnyDetector, clear, type Judgement, unobserved } from '../../signals/detector.ts';
import { evaluate, type World } from '../../signals/evaluate.ts';
import { noHistory } from '../../signals/history.ts';
import { createLimitResolver, noSettings } from '../../signals/limits.ts';
import type { Reading, ReadingKind } from '../../signals/reading.ts';
import { MINUTE_MS, resourceOf, settingsOf } from '../support/signal-story.ts';
import { cpu, detectorOf, gap, host, memoryOf, NOW, play, raised, told } from '../support/verdict-scene.ts';

describe('who is asked', () => {
  test('a resource of another kind has no verdict', () => {
    expect(
      play({ detector: detectorOf(() => clear()), resource: resourceOf('vm', { expects: ['cpu'] }) }).verdicts,
    ).toEqual([]);
  });

  test('a resource that has no such reading, and for which none is expected, has no verdict', () => {
    expect(
      play({ detector: detectorOf(() => clear()), readings: [], resource: { ...host, expects: [] } }),
    ).toMatchObject({ verdicts: [], skipped: [] });
  });

  test('a detector gets only readings of the kinds it reads', () => {
    const seen: ReadingKind[] = [];
    const boot = cpu('host', {
      kind: 'boot',
      bootedAtMs: NOW,
      previousEndedOrderly: null,
      previousEndedAtMs: null,
    } as Partial<Reading>);
    play({
      detector: detectorOf(({ readings }) => {
        for (const { kind } of readings) seen.push(kind);
        return clear();
      }),
      readings: [boot, cpu()],
    });
    expect(seen).toEqual(['cpu']);
  });

  test('what is out of scope, or switched off, is skipped with the reason and has no verdict', () => {
    expect(play({ detector: detectorOf(() => clear(), { skip: () => 'it is asleep' }) })).toMatchObject({
      verdicts: [],
      skipped: [{ code: 'out_of_scope', reason: 'it is asleep' }],
    });
    const settings = settingsOf('host', 'probe', { off: true });
    expect(play({ detector: detectorOf(() => clear()), settings })).toMatchObject({
      verdicts: [],
      skipped: [{ code: 'switched_off' }],
    });
  });

  test('a resource on which there is nothing of the kind is out of scope, not clear', () => {
    expect(play({ detector: detectorOf(() => []) })).toMatchObject({
      verdicts: [],
      skipped: [{ code: 'out_of_scope' }],
    });
  });
});

describe('a missing reading', () => {
  test.each([
    'not_installed',
    'not_permitted',
    'asleep',
    'timed_out',
    'unreachable',
    'malformed',
    'empty',
    'cut_short',
    'failed',
    'source_failed',
  ] as const)('with the gap %s is unobserved with its reason', (code) => {
    const { verdicts } = play({ detector: detectorOf(() => clear()), readings: [], gaps: [gap('not_due'), gap(code)] });
    expect(verdicts).toMatchObject([{ state: 'unobserved', code, reason: `why ${code}`, memory: null }]);
  });

  test('is unobserved too where nobody says why', () => {
    expect(told(play({ detector: detectorOf(() => clear()), readings: [] }))).toEqual([[null, 'no_reading']]);
    expect(
      told(play({ detector: detectorOf(() => clear()), readings: [], gaps: [gap('failed', { reads: ['smart'] })] })),
    ).toEqual([[null, 'no_reading']]);
    expect(
      told(play({ detector: detectorOf(() => clear()), readings: [], gaps: [gap('failed', { reads: [] })] })),
    ).toEqual([[null, 'failed']]);
  });

  test('that is not due is skipped, and keeps what is remembered', () => {
    const { verdicts, skipped, absent } = play({
      detector: detectorOf(() => clear()),
      readings: [],
      gaps: [gap('not_due')],
      memory: { '': {} },
    });
    expect([verdicts, skipped, absent]).toMatchObject([[], [{ code: 'not_due' }], []]);
  });

  test('leaves what was raised as it was, subject by subject', () => {
    const { verdicts } = play({
      detector: detectorOf(() => clear()),
      readings: [],
      gaps: [gap('timed_out')],
      memory: { a: { severity: 'critical' }, b: {} },
    });
    expect(verdicts).toMatchObject([
      { subject: 'a', state: 'unobserved', memory: { severity: 'critical' } },
      { subject: 'b', state: 'unobserved', memory: { severity: 'warning' } },
    ]);
  });

  test('of what was raised stays in sight even when no source undertakes to read it any more', () => {
    expect(
      told(
        play({
          detector: detectorOf(() => clear()),
          readings: [],
          resource: { ...host, expects: [] },
          memory: { '': {} },
        }),
      ),
    ).toEqual([[null, 'no_reading']]);
  });
});

describe('a reading that proves nothing', () => {
  test.each([
    ['stale', { takenAtMs: NOW - 16 * MINUTE_MS }],
    ['future', { takenAtMs: NOW + 2 * MINUTE_MS }],
    ['malformed', { busyRatio: Number.NaN }],
    ['malformed', { takenAtMs: Number.NaN }],
  ] as const)('is unobserved: %s', (code, more) => {
    expect(
      told(play({ detector: detectorOf(() => clear()), readings: [cpu('host', more as Partial<Reading>)] })),
    ).toEqual([[null, code]]);
  });

  test('is left out beside one that does', () => {
    const seen: string[] = [];
    const [good, bad] = [cpu(), cpu('host', { takenAtMs: 0 })];
    play({
      detector: detectorOf(({ readings }) => {
        for (const { id } of readings) seen.push(id);
        return clear();
      }),
      readings: [bad, good],
    });
    expect(seen).toEqual([good.id]);
  });
});

describe('several sources', () => {
  const bySource = (answers: Readonly<Record<string, Judgement | readonly Judgement[]>>): AnyDetector =>
    detectorOf(({ readings }) => answers[readings[0]?.sourceId ?? ''] ?? clear());
  const both = [cpu('host'), cpu('metrics')];

  test('are asked apart, and the worst answer counts once', () => {
    const { verdicts } = play({
      detector: bySource({ host: raised('warning'), metrics: raised('critical') }),
      readings: both,
    });
    expect(verdicts).toMatchObject([{ state: 'raised', signal: { severity: 'critical', sourceIds: ['metrics'] } }]);
  });

  test('that are weighed together are asked once', () => {
    let asked = 0;
    const { verdicts } = play({
      detector: detectorOf(
        () => {
          asked += 1;
          return raised('warning');
        },
        { sources: 'together' },
      ),
      readings: both,
    });
    expect([asked, verdicts.length]).toEqual([1, 1]);
    expect(verdicts).toMatchObject([{ signal: { sourceIds: ['host', 'metrics'] } }]);
  });

  test('one that saw it outweighs one that did not', () => {
    expect(told(play({ detector: bySource({ host: unobserved('not_supported', 'why') }), readings: both }))).toEqual([
      [null, 'clear'],
    ]);
  });

  test('a fault that is being confirmed is not forgotten beside a source that does not see it', () => {
    const bad = { sinceMs: NOW, lastAtMs: NOW, looks: 1 };
    const confirming: Judgement = { state: 'unobserved', subject: null, code: 'confirming', reason: 'why', bad };
    const { verdicts } = play({ detector: bySource({ host: confirming }), readings: both });
    expect(verdicts).toMatchObject([{ code: 'confirming', memory: { severity: null, bad, sourceIds: ['host'] } }]);
  });

  describe('where one raised it, another can not clear it', () => {
    const clears = bySource({});
    const memory = { '': { sourceIds: ['host'] } };

    test('while that one failed', () => {
      const { verdicts } = play({
        detector: clears,
        readings: [cpu('metrics')],
        gaps: [gap('source_failed', { reads: [] })],
        memory,
      });
      expect(verdicts).toMatchObject([{ state: 'unobserved', code: 'source_failed', memory: { severity: 'warning' } }]);
    });

    test('while that one is not asked', () => {
      const result = play({ detector: clears, readings: [cpu('metrics')], gaps: [gap('not_due')], memory });
      expect([result.verdicts, result.absent, result.skipped]).toMatchObject([[], [], [{ code: 'not_due' }]]);
    });

    test('while that one can not tell', () => {
      expect(
        told(play({ detector: bySource({ host: unobserved('warming_up', 'why') }), readings: both, memory })),
      ).toEqual([[null, 'warming_up']]);
    });

    test('nor that one itself, while it could read only a part', () => {
      const partly = (code: 'timed_out' | 'not_due' | 'not_answering', reads: readonly 'cpu'[] = ['cpu']) =>
        told(play({ detector: clears, readings: [cpu('host')], gaps: [gap(code, { reads })], memory }));
      expect(partly('timed_out')).toEqual([[null, 'timed_out']]);
      expect(partly('timed_out', [])).toEqual([[null, 'timed_out']]);
      expect(partly('not_due')).toEqual([[null, 'clear']]);
      expect(partly('not_answering')).toEqual([[null, 'clear']]);
    });

    test('but it can when that one is not there any more, has nothing missing, or agrees', () => {
      expect(told(play({ detector: clears, readings: [cpu('metrics')], memory }))).toEqual([[null, 'clear']]);
      expect(told(play({ detector: clears, readings: both, memory }))).toEqual([[null, 'clear']]);
      expect(
        told(
          play({ detector: clears, readings: [cpu('metrics')], gaps: [gap('failed', { reads: ['smart'] })], memory }),
        ),
      ).toEqual([[null, 'clear']]);
    });

    test('nor wipe what that one was about to confirm', () => {
      const about = { '': { severity: null, bad: { sinceMs: NOW, lastAtMs: NOW, looks: 1 }, sourceIds: ['host'] } };
      const result = play({ detector: clears, readings: [cpu('metrics')], gaps: [gap('not_due')], memory: about });
      expect(result.verdicts).toEqual([]);
    });
  });
});

test('a detector that throws is told, is unobserved with what it remembered, and stops no other', () => {
  const thrown = new Error('bug');
  const broken = detectorOf(
    () => {
      throw thrown;
    },
    { type: 'broken' },
  );
  const world: World = { resources: [host], readingsOf: () => [cpu()], gapsOf: () => [], lastSurveyAtMs: () => null };
  const memories = { of: (type: string) => (type === 'broken' ? new Map([['a', memoryOf({})]]) : undefined) };
  const result = evaluate({
    world,
    detectors: [broken, detectorOf(() => clear())],
    limits: createLimitResolver(noSettings),
    history: { of: () => noHistory },
    memories,
    nowMs: NOW,
  });
  expect(result.failures).toEqual([{ detector: 'broken', resourceId: host.id, error: thrown }]);
  expect(result.verdicts).toMatchObject([
    { detector: 'broken', subject: 'a', code: 'failed', memory: { severity: 'warning' } },
    { detector: 'probe', state: 'clear' },
  ]);
});

test('verdicts come in the order of resources, then detectors, then subjects', () => {
  const disk = resourceOf('disk', { expects: ['cpu'] });
  const world: World = {
    resources: [disk, host],
    readingsOf: () => [cpu()],
    gapsOf: () => [],
    lastSurveyAtMs: () => null,
  };
  const detectors = [
    detectorOf(() => [clear('b'), clear('a')], { type: 'one' }),
    detectorOf(() => clear(), { type: 'two' }),
  ];
  const run = () =>
    evaluate({
      world,
      detectors,
      limits: createLimitResolver(noSettings),
      history: { of: () => noHistory },
      memories: { of: () => undefined },
      nowMs: NOW,
    });
  expect(run().verdicts.map(({ resourceId, detector, subject }) => [resourceId, detector, subject])).toEqual(
    [disk.id, host.id].flatMap((id) => [
      [id, 'one', 'b'],
      [id, 'one', 'a'],
      [id, 'two', null],
    ]),
  );
  expect(run()).toEqual(run());
});
