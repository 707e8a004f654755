import { expect, test } from 'vitest';
import { chatModel, whileTimePasses } from '../support/chat-model.ts';

test('a server that recovers is asked again, and only the attempt that worked is charged', async () => {
  const { turn, clock, server, usages } = await chatModel(function* ({ index }) {
    if (index < 2) yield { kind: 'status', status: 500 };
    yield { kind: 'text', text: 'back again' };
  });
  expect(await whileTimePasses(clock, turn())).toMatchObject({ text: 'back again' });
  expect(server.requests).toHaveLength(3);
  expect(usages).toHaveLength(1);
});

test('three failures end the turn and open the circuit: the next turn does not reach the server', async () => {
  const { turn, clock, server } = await chatModel(function* () {
    yield { kind: 'status', status: 503, body: { error: { message: 'Loading model' } } };
  });
  const failed = whileTimePasses(clock, turn());
  await expect(failed).rejects.toMatchObject({ kind: 'overloaded', message: expect.stringMatching(/Loading model/) });
  await expect(turn()).rejects.toMatchObject({ kind: 'circuit_open' });
  expect(server.requests).toHaveLength(3);
});

test('Retry-After is waited for to its end', async () => {
  const { turn, clock, server } = await chatModel(function* ({ index }) {
    if (index === 0) yield { kind: 'status', status: 429, headers: { 'retry-after': '20' } };
    yield { kind: 'text', text: 'now' };
  });
  const startedMs = clock.monotonicMs();
  await whileTimePasses(clock, turn());
  expect(clock.monotonicMs() - startedMs).toBeGreaterThanOrEqual(20_000);
  expect(server.requests).toHaveLength(2);
});

test('a provider that wants to be left alone for long ends the turn at once', async () => {
  const { turn, server } = await chatModel(function* () {
    yield { kind: 'status', status: 429, headers: { 'retry-after': '3600' } };
  });
  await expect(turn()).rejects.toMatchObject({ kind: 'rate_limited', retryAfterMs: 3_600_000 });
  await expect(turn()).rejects.toMatchObject({ kind: 'circuit_open', retryAfterMs: 3_600_000 });
  expect(server.requests).toHaveLength(1);
});

test('what will not get better is not tried again', async () => {
  const { turn, server } = await chatModel(function* () {
    yield { kind: 'status', status: 400, body: { error: { message: 'no tools here' } } };
  });
  await expect(turn()).rejects.toMatchObject({ kind: 'refused' });
  expect(server.requests).toHaveLength(1);
});

test('an answer that breaks off is asked for again, and both are charged', async () => {
  const { turn, clock, usages } = await chatModel(function* ({ index }) {
    yield { kind: 'text', text: 'half an ans' };
    if (index === 0) yield { kind: 'cut' };
  });
  await whileTimePasses(clock, turn());
  expect(usages.map(({ estimated }) => estimated)).toEqual([true, false]);
});

test('all attempts of a turn together have one limit of time', async () => {
  const { turn, clock, server } = await chatModel(
    async function* ({ index }) {
      if (index === 0) yield { kind: 'status', status: 500 };
      yield { kind: 'hold', until: new Promise(() => undefined) };
    },
    { config: { timeouts: { total: '40s', firstToken: '39500ms' } } },
  );
  const failed = whileTimePasses(clock, turn());
  await expect(failed).rejects.toMatchObject({ kind: 'timed_out', details: { limit: 'totalMs', ms: 40_000 } });
  expect(server.requests).toHaveLength(2);
});

test('cancelling ends the wait before another attempt', async () => {
  const { turn, clock, abort, server } = await chatModel(function* () {
    yield { kind: 'status', status: 429, headers: { 'retry-after': '30' } };
  });
  const asked = turn();
  asked.catch(() => undefined);
  while (server.requests.length === 0 || clock.sleeping() < 2) await clock.advance(0);
  abort.abort(new Error('enough'));
  await expect(asked).rejects.toMatchObject({ kind: 'cancelled' });
});
