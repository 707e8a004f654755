import { describe, expect, it } from 'vitest';
import type { EngineQuestions } from '../../../src/sources/docker/ask-engine.ts';
import type { DockerQuery } from '../../../src/sources/docker/docker-api.ts';
import { type EventCursor, type EventLog, readEvents } from '../../../src/sources/docker/event-log.ts';
import { failed, type Read } from '../../../src/sources/docker/read-failure.ts';
import { eventAnswer, lines } from '../../support/scripted-engine.ts';

const T0 = Date.UTC(2026, 2, 1, 12);
const at = (second: number): string => new Date(T0 + second * 1_000).toISOString();
const ms = (second: number): number => T0 + second * 1_000;
const die = (second: number) => eventAnswer(1, 'die', at(second));

interface Asked {
  readonly log: Read<EventLog>;
  readonly query: DockerQuery;
}

const read = async (
  answer: Read<string>,
  before: EventCursor | null,
  untilSecond = 100,
  kind: 'docker' | 'podman' = 'docker',
): Promise<Asked> => {
  let query: DockerQuery = {};
  const ask: EngineQuestions = {
    origin: 'test',
    json: async () => failed('failed', 'not asked'),
    text: async (_prefix, _path, asked) => {
      query = asked;
      return answer;
    },
    bytes: async () => failed('failed', 'not asked'),
    pause: async () => undefined,
  };
  return { log: await readEvents(ask, { kind, prefix: '/v1.41' }, before, ms(untilSecond)), query };
};

const ok = (...events: readonly unknown[]): Read<string> => ({ ok: true, value: lines(events) });

const value = (log: Read<EventLog>): EventLog => {
  if (!log.ok) throw new Error(log.failure.reason);
  return log.value;
};

const cursor = async (...events: readonly unknown[]): Promise<EventCursor> =>
  value((await read(ok(...events), null)).log).cursor;

describe('readEvents', () => {
  it('looks an hour back at first, and relies on nothing before the oldest event that is left', async () => {
    const { log, query } = await read(ok(die(10), die(20)), null);
    expect(query).toEqual({ since: (ms(100 - 3_600) / 1_000).toFixed(3), until: (ms(100) / 1_000).toFixed(3) });
    expect(value(log).cursor).toMatchObject({ knownSinceMs: ms(10), last: { atMs: ms(20) } });
    expect(value(log).events).toHaveLength(2);
  });

  it('relies on nothing before now where there is no event', async () => {
    expect(value((await read(ok(), null)).log).cursor).toEqual({ last: null, knownSinceMs: ms(100) });
  });

  it('goes on where it was, hands over only what is new, and knows all since the first look', async () => {
    const before = await cursor(die(10), die(20));
    const { log, query } = await read(ok(die(20), die(150)), before, 200);
    expect(query['since']).toBe((ms(20) / 1_000).toFixed(3));
    expect(value(log).events.map(({ atMs }) => atMs)).toEqual([ms(150)]);
    expect(value(log).cursor).toMatchObject({ knownSinceMs: ms(10), last: { atMs: ms(150) } });
  });

  it('knows that the ring of events went round, or the engine was restarted, when it does not meet its last one', async () => {
    const before = await cursor(die(10), die(20));
    const { log } = await read(ok(die(140), die(150)), before, 200);
    expect(value(log).cursor).toMatchObject({ knownSinceMs: ms(140), last: { atMs: ms(150) } });
    expect(value((await read(ok(), before, 200)).log).cursor).toEqual({ last: null, knownSinceMs: ms(200) });
  });

  it('never asks for what is before its own end, also when the clock of the engine was set back', async () => {
    const before = await cursor(die(10), die(90));
    const { query } = await read(ok(), before, 50);
    expect(Number(query['since'])).toBeLessThanOrEqual(Number(query['until']));
  });

  it("filters Podman's journal, which forgets nothing", async () => {
    const before = value((await read(ok(), null, 100, 'podman')).log).cursor;
    expect(before.knownSinceMs).toBe(ms(100 - 3_600));
    const { log, query } = await read(ok(die(150)), before, 200, 'podman');
    expect(JSON.parse(query['filters'] ?? '')).toEqual({
      type: ['container'],
      event: ['kill', 'died', 'die', 'stop', 'start'],
    });
    expect(value(log).cursor).toMatchObject({ knownSinceMs: ms(100 - 3_600), last: { atMs: ms(150) } });
  });

  it('drops and counts a line that can not be read', async () => {
    const text = `${lines([die(10)])}{"Type":"container","Action":\n${lines([{ Type: 'container' }, die(20)])}`;
    const { log } = await read({ ok: true, value: text }, null);
    expect(value(log)).toMatchObject({ malformed: 2, events: [{ atMs: ms(10) }, { atMs: ms(20) }] });
  });

  it.each(['<html>busy</html>', '{"message":"page not found"}', '[]'])(
    'refuses %j, which is no list of events',
    async (text) => {
      const { log } = await read({ ok: true, value: text }, null);
      expect(log).toMatchObject({ ok: false, failure: { code: 'malformed' } });
    },
  );

  it('hands on why there is no answer', async () => {
    const { log } = await read(failed('timed_out', 'silence'), null);
    expect(log).toEqual({ ok: false, failure: { code: 'timed_out', reason: 'silence', status: null } });
  });
});
