import fc from 'fast-check';
import { expect, it } from 'vitest';
import { readAnswer, readNames, readTargetErrors, targetKey } from '../../../src/sources/prometheus/answer.ts';

const vector = (...result: unknown[]) => ({ status: 'success', data: { resultType: 'vector', result } });

it('reads vectors and matrices alike, in milliseconds', () => {
  const read = readAnswer(vector({ metric: { job: 'a', instance: 'b' }, value: [1.5, '2'] }), 'q');
  expect(read).toMatchObject({
    ok: true,
    value: { incomplete: null, series: [{ labels: { job: 'a' }, points: [{ atMs: 1500, value: 2 }] }] },
  });
  const matrix = {
    status: 'success',
    data: {
      resultType: 'matrix',
      result: [
        {
          metric: {},
          values: [
            [1, '2'],
            [2, 'NaN'],
            [3, '4'],
          ],
        },
      ],
    },
  };
  expect(readAnswer(matrix, 'q')).toMatchObject({
    ok: true,
    value: { series: [{ points: [{ value: 2 }, { value: 4 }] }] },
  });
});

it('keeps the key of the target with the labels, and makes it where there is none', () => {
  const read = readAnswer(vector({ metric: { job: 'a', instance: 'b' }, value: [1, '2'] }), 'q');
  expect(read.ok && targetKey(read.value.series[0]?.labels ?? {})).toBe('a\nb');
  expect(targetKey({ job: 'a', instance: 'b' })).toBe('a\nb');
});

it('leaves out what is no number without calling it broken', () => {
  const read = readAnswer(vector({ metric: {}, value: [1, 'NaN'] }, { metric: {}, value: [1, '+Inf'] }), 'q');
  expect(read).toEqual({
    ok: true,
    value: { series: [], incomplete: expect.objectContaining({ reason: expect.stringContaining('1 of 2') }) },
  });
});

it('cleans and shortens what Prometheus says, and tells no secret of it', () => {
  const error = `bad\u001b[31m ${'x'.repeat(1_000)}`;
  const read = readAnswer({ status: 'error', errorType: 'execution', error }, 'q');
  const reason = read.ok ? '' : read.failure.reason;
  expect(reason.length).toBeLessThanOrEqual(400);
  expect(reason).not.toContain('\u001b');
  const leaky = readAnswer(
    { status: 'error', errorType: 'execution', error: 'Get "http://me:hunter2@10.0.0.1/": no' },
    'q',
  );
  expect(JSON.stringify(leaky)).not.toContain('hunter2');
});

it('reads the names that are names, and says when the list is not whole', () => {
  expect(readNames({ status: 'success', data: ['up', 7, 'x'] })).toEqual({
    ok: true,
    value: { present: new Set(['up', 'x']), incomplete: null },
  });
  expect(readNames({ status: 'success', data: ['up'], warnings: ['store gone'] })).toMatchObject({
    ok: true,
    value: { incomplete: { code: 'cut_short' } },
  });
  expect(readNames({ status: 'success', data: {} })).toMatchObject({ ok: false });
});

it('reads the scrape errors that are there', () => {
  const body = {
    status: 'success',
    data: {
      activeTargets: [
        { labels: { job: 'a', instance: 'b' }, lastError: 'connection refused' },
        { labels: { job: 'a', instance: 'c' }, lastError: '' },
        5,
      ],
    },
  };
  expect([...readTargetErrors(body)]).toEqual([['a\nb', 'connection refused']]);
  expect(readTargetErrors('nonsense').size).toBe(0);
});

it('never throws, whatever comes', () => {
  const nearly = fc.record({
    status: fc.constantFrom('success', 'error', 'x'),
    data: fc.oneof(
      fc.anything(),
      fc.record({ resultType: fc.constantFrom('vector', 'matrix', 'scalar'), result: fc.array(fc.anything()) }),
    ),
  });
  fc.assert(
    fc.property(fc.oneof(fc.anything(), nearly), (body) => {
      readAnswer(body, 'q');
      readNames(body);
      readTargetErrors(body);
    }),
  );
});
