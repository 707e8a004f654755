import { describe, expect, it } from 'vitest';
import { moveTimes } from '../../../src/sources/docker/move-times.ts';
import { recordedAnswersSchema } from '../../../src/sources/docker/recorded-answer.ts';
import { createRecordedDockerApi } from '../../../src/sources/docker/recorded-docker-api.ts';
import { eventAnswer } from '../../support/scripted-engine.ts';

const { signal } = new AbortController();
const api = (recorded: unknown, movedByMs = 0) =>
  createRecordedDockerApi({
    answers: recordedAnswersSchema.parse(recorded),
    recordedAtMs: 1_000,
    nowMs: () => 1_000 + movedByMs,
  });

const text = async (
  from: ReturnType<typeof api>,
  path: string,
  query: Record<string, string> = {},
): Promise<string> => {
  const result = await from.get(path, query, signal);
  return result.ok ? `${result.value.status} ${result.value.text}` : result.failure.code;
};

describe('createRecordedDockerApi', () => {
  it('answers by path and query, whatever the version', async () => {
    const recorded = api([{ path: '/containers/json', query: { all: '1' }, answers: [{ body: [] }] }]);
    expect(await text(recorded, '/v1.41/containers/json', { all: '1' })).toBe('200 []');
    expect(await text(recorded, '/v1.44/containers/json', { all: '1' })).toBe('200 []');
  });

  it('refuses what was not recorded', async () => {
    const recorded = api([{ path: '/containers/json', query: { all: '1' }, answers: [{ body: [] }] }]);
    await expect(recorded.get('/v1.41/containers/json', {}, signal)).rejects.toThrow(
      'not recorded: GET /containers/json {}',
    );
    await expect(recorded.get('/v1.41/info', {}, signal)).rejects.toThrow('not recorded: GET /info');
  });

  it('plays answers in turn, and then the last one', async () => {
    const recorded = api([
      { path: '/info', answers: [{ body: 1 }, { status: 500, body: { message: 'x' } }, { failure: 'http_timeout' }] },
    ]);
    expect(await text(recorded, '/info')).toBe('200 1');
    expect(await text(recorded, '/info')).toBe('500 {"message":"x"}');
    expect(await text(recorded, '/info')).toBe('http_timeout');
    expect(await text(recorded, '/info')).toBe('http_timeout');
  });

  it('plays an answer that is no JSON as it was', async () => {
    expect(await text(api([{ path: '/info', answers: [{ text: '{"Name":' }] }]), '/info')).toBe('200 {"Name":');
  });

  it('plays the events that lie between since and until, one a line, moved on with the clock', async () => {
    const body = [eventAnswer(1, 'kill', '2026-03-01T12:00:00Z'), eventAnswer(1, 'die', '2026-03-01T12:00:10Z')];
    const recorded = api([{ path: '/events', answers: [{ body }] }], 3_600_000);
    const since = String(Date.parse('2026-03-01T13:00:05Z') / 1_000);
    const until = String(Date.parse('2026-03-01T13:01:00Z') / 1_000);
    const answer = await text(recorded, '/v1.41/events', { since, until, filters: '{}' });
    expect(answer.split('\n')).toHaveLength(2);
    expect(JSON.parse(answer.replace(/^200 /, ''))).toMatchObject({
      Action: 'die',
      time: Date.parse('2026-03-01T13:00:10Z') / 1_000,
    });
  });

  it.each([
    [[{ path: 'info', answers: [{ body: 1 }] }]],
    [[{ path: '/info', answers: [] }]],
    [[{ path: '/info', answers: [{ body: 1, delay: 3 }] }]],
    [[{ path: '/info', answer: { body: 1 } }]],
  ])('refuses a recording that is not written as it should be: %j', (recorded) => {
    expect(recordedAnswersSchema.safeParse(recorded).success).toBe(false);
  });
});

describe('moveTimes', () => {
  it('moves every instant, in each of the ways in which the engine writes one, and nothing else', () => {
    const answer = {
      Created: 1_772_000_000,
      State: { StartedAt: '2026-03-01T10:00:00.123456789Z', FinishedAt: '0001-01-01T00:00:00Z', ExitCode: 137 },
      Health: { Log: [{ Start: '2026-03-01T12:00:00+02:00', Output: 'at 2026-03-01T10:00:00Z' }] },
      time: 1_772_000_000,
      timeNano: 1_772_000_000_000_000_000,
      Status: 'Up 2 hours',
      nothing: null,
    };
    expect(moveTimes(answer, 60_000)).toEqual({
      ...answer,
      Created: 1_772_000_060,
      State: { ...answer.State, StartedAt: '2026-03-01T10:01:00.123Z' },
      Health: { Log: [{ Start: '2026-03-01T10:01:00.000Z', Output: 'at 2026-03-01T10:00:00Z' }] },
      time: 1_772_000_060,
      timeNano: 1_772_000_060_000_000_000,
    });
  });

  it('leaves an answer alone that is not moved', () => {
    const answer = { StartedAt: '2026-03-01T10:00:00.123456789Z' };
    expect(moveTimes(answer, 0)).toBe(answer);
  });
});
