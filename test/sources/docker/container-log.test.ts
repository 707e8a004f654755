import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { dockerConfigSchema } from '../../../src/sources/docker/docker-config.ts';
import { createDockerSource } from '../../../src/sources/docker/docker-source.ts';
import { createRealDockerApi } from '../../../src/sources/docker/real-docker-api.ts';
import type { Source } from '../../../src/sources/source.ts';
import { type RealDocker, startRealDocker, whyNoRealDocker } from '../../support/real-docker.ts';
import { sourceDeps } from '../../support/source-deps.ts';

const missing = whyNoRealDocker();
const TIMEOUT_MS = 60_000;
const POLL_MS = 100;
const { signal } = new AbortController();

const sourceAt = (socket: string): Source => {
  const config = dockerConfigSchema.parse({ socket });
  const deps = sourceDeps();
  return createDockerSource(
    'docker',
    { api: createRealDockerApi(config, deps.clock), config, kernelRelease: null },
    deps,
  );
};

test('what is no container of an engine is asked of nobody', async () => {
  const source = sourceAt('/nowhere.sock');
  for (const ref of ['host', '../../info', 'a'.repeat(65)])
    expect(await source.readLog?.({ ref, kind: 'container', untilMs: 0, signal })).toMatchObject({
      ok: false,
      code: 'not_supported',
    });
});

test('an engine that is not there is said to be not there', async () => {
  const answer = await sourceAt('/nowhere.sock').readLog?.({
    ref: 'a'.repeat(64),
    kind: 'container',
    untilMs: 0,
    signal,
  });
  expect(answer).toMatchObject({ ok: false, reason: expect.stringMatching(/no socket/) });
});

describe.skipIf(missing !== null)(`a real engine${missing === null ? '' : ` (skipped: ${missing})`}`, () => {
  let engine: RealDocker;
  beforeAll(async () => {
    engine = await startRealDocker();
  }, TIMEOUT_MS);
  afterAll(async () => engine?.close(), TIMEOUT_MS);

  test(
    'tells the last lines of both streams of a container, and of one that has ended too',
    async () => {
      const command = ['sh', '-c', 'echo begin; cat /no/such/file; echo end'];
      const id = await engine.run({ name: 'talker', command });
      const source = sourceAt(engine.socketPath);
      const read = () => source.readLog?.({ ref: id, kind: 'container', untilMs: Date.now() + 2_000, signal });
      let answer = await read();
      for (let waitedMs = 0; waitedMs < TIMEOUT_MS; waitedMs += POLL_MS) {
        if (answer?.ok === true && answer.lines.some(({ text }) => text === 'end')) break;
        await wait(POLL_MS);
        answer = await read();
      }
      if (answer?.ok !== true) throw new Error(answer?.reason);
      expect(answer.lines.map(({ text }) => text)).toEqual(
        expect.arrayContaining(['begin', expect.stringMatching(/no such file/i), 'end']),
      );
      expect(answer.lines.every(({ atMs }) => atMs !== null && Math.abs(Date.now() - atMs) < TIMEOUT_MS)).toBe(true);
      await source.close();
    },
    TIMEOUT_MS,
  );
});
