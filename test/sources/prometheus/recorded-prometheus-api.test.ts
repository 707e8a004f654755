import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readNames } from '../../../src/sources/prometheus/answer.ts';
import { createRecordedPrometheusApi, moveTimes } from '../../../src/sources/prometheus/recorded-prometheus-api.ts';
import { temporaryDirectory } from '../../support/temporary-directory.ts';

const vector = (value: unknown) => ({
  status: 'success',
  data: { resultType: 'vector', result: [{ metric: {}, value }] },
});
const signal = AbortSignal.timeout(10_000);

const recorded = (files: Readonly<Record<string, string>>, movedByMs = 0) => {
  const directory = temporaryDirectory();
  mkdirSync(directory, { recursive: true });
  for (const [name, text] of Object.entries(files)) writeFileSync(join(directory, name), text);
  return createRecordedPrometheusApi({ directory, recordedAtMs: 1_000_000, nowMs: () => 1_000_000 + movedByMs });
};
const question = { name: 'node_boot', promql: 'x', atMs: 0, range: null, valueIsTime: false };

describe('recorded times', () => {
  it('move with the clock of the replay, values that are times only where they are times of samples', () => {
    expect(moveTimes(vector([10, '20']), 5_000, false)).toEqual(vector([15, '20']));
    expect(moveTimes(vector([10, '20']), 5_000, true)).toEqual(vector([15, '25']));
    const matrix = {
      data: {
        result: [
          {
            metric: {},
            values: [
              [10, '1'],
              [20, '2'],
            ],
          },
        ],
      },
    };
    expect(moveTimes(matrix, 5_000, false)).toEqual({
      data: {
        result: [
          {
            metric: {},
            values: [
              [15, '1'],
              [25, '2'],
            ],
          },
        ],
      },
    });
  });

  it.each([
    null,
    'text',
    {},
    { data: 5 },
    { data: { result: 5 } },
    vector('x'),
    vector(['x', 1]),
    { data: { result: [7] } },
  ])('leave %j as it is', (body) => {
    expect(moveTimes(body, 5_000, true)).toEqual(body);
  });
});

it('plays what was recorded under a question’s name, and is empty for the rest', async () => {
  const api = recorded({ 'node_boot.json': JSON.stringify(vector([1_000, '5'])) }, 60_000);
  expect(await api.ask(question, signal)).toEqual({ ok: true, value: vector([1_060, '5']) });
  expect(await api.ask({ ...question, name: 'node_uname' }, signal)).toMatchObject({
    ok: true,
    value: { data: { resultType: 'vector', result: [] } },
  });
  expect(await api.ask({ ...question, name: 'x', range: { spanMs: 1, stepMs: 1 } }, signal)).toMatchObject({
    ok: true,
    value: { data: { resultType: 'matrix' } },
  });
  expect(await api.serverTimeMs(signal)).toEqual({ ok: true, value: 1_060_000 });
});

it('takes the metrics that recorded answers need for present, unless a list says otherwise', async () => {
  const names = async (files: Readonly<Record<string, string>>) => {
    const body = await recorded(files).metricNames({ match: [], fromMs: 0, toMs: 1 }, signal);
    const read = body.ok ? readNames(body.value) : body;
    return read.ok ? [...read.value.present] : [];
  };
  expect(await names({ 'node_boot.json': '{}' })).toEqual(['node_boot_time_seconds']);
  expect(await names({ 'node_boot.json': '{}', 'metric_names.json': '{"status":"success","data":["up"]}' })).toEqual([
    'up',
  ]);
});

it('writes instants for tokens, and says of a file that is not JSON which one', async () => {
  const api = recorded({ 'node_boot.json': '{"at":"{{now-10|s}}"}', 'node_uname.json': '{' }, 60_000);
  expect(await api.ask(question, signal)).toEqual({ ok: true, value: { at: '1050' } });
  expect(await api.ask({ ...question, name: 'node_uname' }, signal)).toMatchObject({
    ok: false,
    failure: { code: 'malformed', reason: expect.stringContaining('node_uname.json') },
  });
});
