import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createLogger } from '../../../src/runtime/logger.ts';
import { ANSWERS_FILE, createRecordedDockerSource } from '../../../src/sources/docker/recorded-docker.ts';
import type { Sighting } from '../../../src/sources/source.ts';
import { createFakeClock } from '../../support/fake-clock.ts';
import { createMemoryState } from '../../support/memory-state.ts';
import {
  containerId,
  infoAnswer,
  inspectedAnswer,
  listedAnswer,
  statsAnswer,
  versionAnswer,
} from '../../support/scripted-engine.ts';
import { temporaryDirectory } from '../../support/temporary-directory.ts';

const RECORDED_AT = Date.parse('2026-03-01T12:00:00Z');
const DAY_MS = 86_400_000;
const web = containerId(1);

const recording = [
  { path: '/version', answers: [{ body: versionAnswer }] },
  { path: '/info', answers: [{ body: { ...infoAnswer, SystemTime: '2026-03-01T12:00:00Z' } }] },
  { path: '/containers/json', query: { all: '1' }, answers: [{ body: [listedAnswer(1, 'web')] }] },
  { path: `/containers/${web}/json`, answers: [{ body: inspectedAnswer(1) }] },
  {
    path: `/containers/${web}/stats`,
    query: { stream: 'false', 'one-shot': 'true' },
    answers: [
      { body: statsAnswer('2026-03-01T12:00:00Z', 5_000) },
      { body: statsAnswer('2026-03-01T12:00:01Z', 7_000) },
    ],
  },
  { path: '/events', answers: [{ body: [] }] },
];

const play = (text: string): Promise<Sighting> => {
  const directory = temporaryDirectory();
  writeFileSync(join(directory, ANSWERS_FILE), text);
  const clock = createFakeClock(RECORDED_AT + DAY_MS);
  const source = createRecordedDockerSource({
    id: 'docker',
    directory,
    recordedAtMs: RECORDED_AT,
    clock,
    logger: createLogger({ level: 'silent', clock }),
    localMachineId: 'm1',
    state: createMemoryState(),
  });
  return source.survey({
    signal: new AbortController().signal,
    windowsMs: { cpu: [], memory: [], temperature: [] },
    lastSurveyAtMs: null,
    paces: ['fast'],
  });
};

describe('createRecordedDockerSource', () => {
  it('surveys a recorded engine at the time of the replay, without waiting', async () => {
    const sighting = await play(JSON.stringify(recording));
    expect(sighting.gaps).toEqual([]);
    expect(sighting.claims.map(({ name }) => name)).toEqual(['nas', 'web']);
    expect(sighting.claims[0]?.keys[0]?.key).toBe('machine-id:m1');
    expect(sighting.readings).toMatchObject([
      { kind: 'container', startedAtMs: RECORDED_AT - 2 * 3_600_000 + DAY_MS, takenAtMs: RECORDED_AT + DAY_MS },
      { kind: 'container_memory', limitBytes: null },
      { kind: 'cpu', busyRatio: 0.5, windowMs: 1_000 },
    ]);
  });

  it.each([
    ['is no recording', JSON.stringify([{ path: '/info' }]), /is not written as a recording is: 0\.answers/],
    ['leaves out a question', JSON.stringify(recording.slice(0, -1)), /not recorded: GET \/events/],
    ['is no JSON', '[', /JSON/],
  ])('rejects a file that %s', async (_what, text, reason) => {
    await expect(play(text)).rejects.toThrow(reason);
  });
});
