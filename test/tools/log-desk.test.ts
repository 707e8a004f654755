import { expect, test } from 'vitest';
import { asResourceId, type Resource } from '../../signals/resource.ts';
import type { LogAnswer, LogReader, LogRequest } from '../../src/sources/log.ts';
import { createLogDesk } from '../../src/tools/log-desk.ts';

const resource = { id: asResourceId('a/service/b'), kind: 'service' } as Resource;
const { signal } = new AbortController();
const read = (text: string): LogAnswer => ({ ok: true, lines: [{ atMs: 1, text }], hasEarlier: false });

const deskOf = (readers: Readonly<Record<string, LogReader | undefined>>) =>
  createLogDesk({
    ledger: { handlesOf: () => Object.keys(readers).map((sourceId) => ({ sourceId, ref: `${sourceId}-ref` })) },
    sources: Object.entries(readers).map(([id, readLog]) => ({ id, ...(readLog === undefined ? {} : { readLog }) })),
    nowMs: 77,
  });

test('the first source that can read it does, by its own name for the thing, up to the instant of the run', async () => {
  const asked: LogRequest[] = [];
  const desk = deskOf({
    blind: undefined,
    shut: async () => ({ ok: false, code: 'not_permitted', reason: 'no' }),
    open: async (request) => {
      asked.push(request);
      return read('hello');
    },
  });
  expect(await desk.read(resource, signal)).toMatchObject({ ok: true, sourceId: 'open', lines: [{ text: 'hello' }] });
  expect(asked).toMatchObject([{ ref: 'open-ref', kind: 'service', untilMs: 77 }]);
});

test('what was read is read once in a run; what failed is asked again', async () => {
  let times = 0;
  const desk = deskOf({
    s: async () => {
      times += 1;
      return times === 1 ? { ok: false, code: 'timed_out', reason: 'slow' } : read(`try ${times}`);
    },
  });
  expect(await desk.read(resource, signal)).toMatchObject({ ok: false, code: 'timed_out' });
  expect(await desk.read(resource, signal)).toMatchObject({ lines: [{ text: 'try 2' }] });
  expect(await desk.read(resource, signal)).toMatchObject({ lines: [{ text: 'try 2' }] });
});

test('a source that throws is a reason, and nobody who can read it is one too', async () => {
  const thrown = deskOf({ s: () => Promise.reject(new Error('not recorded')) });
  expect(await thrown.read(resource, signal)).toEqual({ ok: false, code: 'failed', reason: 'not recorded' });
  expect(await deskOf({}).read(resource, signal)).toMatchObject({ ok: false, code: 'not_supported' });
});
