import { expect, test } from 'vitest';
import { settle } from '../../src/runtime/settle.ts';

test('it settles as the work does', async () => {
  const { signal } = new AbortController();
  expect(await settle(Promise.resolve(1), signal)).toBe(1);
  await expect(settle(Promise.reject(new Error('no')), signal)).rejects.toThrow('no');
});

test('work that ignores its signal is left behind, and may fail later without harm', async () => {
  const stop = new AbortController();
  const { promise, reject } = Promise.withResolvers<never>();
  const settled = settle(promise, stop.signal);
  stop.abort(new Error('enough'));
  await expect(settled).rejects.toThrow('enough');
  reject(new Error('too late'));
  await new Promise((resolve) => setImmediate(resolve));
});

test('a signal that was aborted before ends it at once', async () => {
  const pending = new Promise<never>(() => undefined);
  await expect(settle(pending, AbortSignal.abort(new Error('before')))).rejects.toThrow('before');
});
