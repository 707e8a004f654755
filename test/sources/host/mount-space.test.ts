import { expect, test } from 'vitest';
import { createSpaceAsker } from '../../../src/sources/host/mount-space.ts';
import type { SpaceRead } from '../../../src/sources/host/root-reader.ts';
import { createFakeClock } from '../../support/fake-clock.ts';
import { memoryRoot, spaceOf } from '../../support/memory-root.ts';

const { signal } = new AbortController();

const lab = () => {
  const clock = createFakeClock();
  const asked: string[] = [];
  const release = new Map<string, () => void>();
  const space = (mountPoint: string): Promise<SpaceRead> => {
    asked.push(mountPoint);
    if (!mountPoint.includes('hung')) return Promise.resolve(spaceOf());
    return new Promise((resolve) => release.set(mountPoint, () => resolve(spaceOf())));
  };
  const asker = createSpaceAsker({ reader: memoryRoot({ space }), clock, timeoutMs: 5_000 });
  return { clock, asker, asked, release };
};

test('a mount that answers is told', async () => {
  const { asker, clock } = lab();
  expect(await asker.ask({ mountPoint: '/', remote: false }, signal)).toMatchObject({ kind: 'space' });
  expect(clock.sleeping()).toBe(0);
});

test('one that hangs is a gap after its time, and others are not held up', async () => {
  const { asker, clock } = lab();
  const hung = asker.ask({ mountPoint: '/hung', remote: true }, signal);
  expect(await asker.ask({ mountPoint: '/nas', remote: true }, signal)).toMatchObject({ kind: 'space' });
  await clock.advance(5_000);
  expect(await hung).toEqual({ kind: 'none', code: 'timed_out', reason: '/hung gave no answer within 5 s' });
});

test('it is not asked again until it has answered', async () => {
  const { asker, clock, asked, release } = lab();
  const first = asker.ask({ mountPoint: '/hung', remote: true }, signal);
  await clock.advance(5_000);
  await first;
  expect(await asker.ask({ mountPoint: '/hung', remote: true }, signal)).toMatchObject({ code: 'timed_out' });
  expect(asked).toEqual(['/hung']);
  release.get('/hung')?.();
  await clock.advance(1);
  void asker.ask({ mountPoint: '/hung', remote: true }, signal);
  await clock.advance(1);
  expect(asked).toEqual(['/hung', '/hung']);
});

test('local ones that hang never take more than half of the threads for files', async () => {
  const { asker, clock, asked } = lab();
  const hung = ['/hung-1', '/hung-2'].map((mountPoint) => asker.ask({ mountPoint, remote: false }, signal));
  await clock.advance(5_000);
  await Promise.all(hung);
  const answer = await asker.ask({ mountPoint: '/', remote: false }, signal);
  expect(answer).toMatchObject({
    code: 'timed_out',
    reason: '/ was not asked: 2 other file systems of this machine do not answer',
  });
  expect(asked).not.toContain('/');
});

test('the end of a survey ends the waiting', async () => {
  const { asker } = lab();
  const stop = new AbortController();
  const hung = asker.ask({ mountPoint: '/hung', remote: true }, stop.signal);
  await new Promise((resolve) => setImmediate(resolve));
  stop.abort();
  expect(await hung).toMatchObject({ code: 'timed_out', reason: 'the survey ended before /hung had answered' });
});

test.each<[SpaceRead, string]>([
  [{ kind: 'denied' }, 'not_permitted'],
  [{ kind: 'absent' }, 'not_permitted'],
  [{ kind: 'failed', reason: 'EIO' }, 'failed'],
])('%j is the gap %s', async (read, code) => {
  const clock = createFakeClock();
  const asker = createSpaceAsker({ reader: memoryRoot({ space: async () => read }), clock, timeoutMs: 5_000 });
  expect(await asker.ask({ mountPoint: '/x', remote: false }, signal)).toMatchObject({ kind: 'none', code });
});
