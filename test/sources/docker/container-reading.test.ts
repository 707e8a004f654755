import { describe, expect, it } from 'vitest';
import { containerReading } from '../../../src/sources/docker/container-reading.ts';
import { inspectedSchema } from '../../../src/sources/docker/container-schema.ts';
import { containerStatus } from '../../../src/sources/docker/container-state.ts';
import { inspectedAnswer } from '../../support/scripted-engine.ts';

type Part = Readonly<Record<string, unknown>>;

const stops = { requestedAtMs: null, knownSinceMs: null };
const read = (state: Part, host: Part = {}, more: Part = {}, offsetMs = 0) =>
  containerReading(inspectedSchema.parse(inspectedAnswer(1, state, host, more)), stops, offsetMs);

describe('containerReading', () => {
  it('tells a running container with all that is known of it', () => {
    expect(read({}, {}, { RestartCount: 2 })).toEqual({
      kind: 'container',
      instanceId: inspectedAnswer(1)['Id'],
      state: 'running',
      health: 'none',
      unhealthySinceMs: null,
      lastProbeOutput: null,
      exitCode: null,
      startError: null,
      oomKilled: false,
      restartCount: 2,
      restartPolicy: 'unless-stopped',
      maxRetries: 0,
      createdAtMs: Date.parse('2026-02-25T06:13:20Z'),
      startedAtMs: Date.parse('2026-03-01T10:00:00Z'),
      finishedAtMs: null,
      stopRequestedAtMs: null,
      stopsKnownSinceMs: null,
    });
  });

  it.each([
    ['created', 'created', null],
    ['running', 'running', null],
    ['paused', 'paused', null],
    ['restarting', 'restarting', 3],
    ['removing', 'removing', 3],
    ['exited', 'exited', 3],
    ['dead', 'dead', 3],
    ['configured', 'created', null],
    ['initialized', 'created', null],
    ['stopping', 'running', null],
    ['stopped', 'exited', 3],
  ])('reads the state %s as %s, with exit code %s', (Status, state, exitCode) => {
    expect(read({ Status, ExitCode: 3 })).toMatchObject({ state, exitCode });
  });

  it('tells a failed start with its code', () => {
    const error = 'exec: "/nope": stat /nope: no such file or directory\n';
    expect(read({ Status: 'created', ExitCode: 127, Error: error })).toMatchObject({
      state: 'created',
      exitCode: 127,
      startError: 'exec: "/nope": stat /nope: no such file or directory',
    });
  });

  it('keeps secrets and control characters of an error to itself', () => {
    const error = 'pull https://me:s3cret@registry.example \u001b[31mdenied\u202e';
    expect(read({ Status: 'created', Error: error })).toMatchObject({
      startError: 'pull https://[redacted]@registry.example denied',
    });
  });

  it.each([
    ['state', { Status: 'constructor' }, {}, {}, 'state "constructor" is not known'],
    ['health', { Health: { Status: 'fine', FailingStreak: 0 } }, {}, {}, 'health "fine" is not known'],
    ['restart policy', {}, { RestartPolicy: { Name: 'sometimes' } }, {}, 'restart policy "sometimes" is not known'],
    ['creation time', {}, {}, { Created: 'yesterday' }, 'creation time "yesterday" can not be read'],
  ])('does not guess a %s', (_what, state, host, more, reason) => {
    expect(read(state, host, more)).toBe(reason);
  });

  it.each([
    [null, 'no', 0],
    [{ Name: '' }, 'no', 0],
    [{ Name: 'on-failure', MaximumRetryCount: 5 }, 'on-failure', 5],
    [{ Name: 'always' }, 'always', 0],
  ])('reads the restart policy %j', (RestartPolicy, restartPolicy, maxRetries) => {
    expect(read({}, { RestartPolicy })).toMatchObject({ restartPolicy, maxRetries });
  });

  it("brings every instant to patrold's clock", () => {
    const reading = containerReading(
      inspectedSchema.parse(inspectedAnswer(1, { Status: 'exited', FinishedAt: '2026-03-01T11:00:00Z' })),
      { requestedAtMs: Date.parse('2026-03-01T10:59:59Z'), knownSinceMs: Date.parse('2026-03-01T09:00:00Z') },
      3_600_000,
    );
    expect(reading).toMatchObject({
      createdAtMs: Date.parse('2026-02-25T05:13:20Z'),
      startedAtMs: Date.parse('2026-03-01T09:00:00Z'),
      finishedAtMs: Date.parse('2026-03-01T10:00:00Z'),
      stopRequestedAtMs: Date.parse('2026-03-01T09:59:59Z'),
      stopsKnownSinceMs: Date.parse('2026-03-01T08:00:00Z'),
    });
  });

  it.each([
    [
      'dates a request that was logged right after the end back to it',
      '2026-03-01T11:00:00.020Z',
      '2026-03-01T11:00:00Z',
    ],
    ['leaves a request alone that came long after the end', '2026-03-01T11:01:00Z', '2026-03-01T11:01:00Z'],
    ['leaves a request alone that came before the end', '2026-03-01T10:59:00Z', '2026-03-01T10:59:00Z'],
  ])('%s', (_what, requested, told) => {
    const inspected = inspectedSchema.parse(
      inspectedAnswer(1, { Status: 'exited', FinishedAt: '2026-03-01T11:00:00Z' }),
    );
    const reading = containerReading(inspected, { requestedAtMs: Date.parse(requested), knownSinceMs: null }, 0);
    expect(reading).toMatchObject({ stopRequestedAtMs: Date.parse(told) });
  });

  it.each(['OOMKilled', 'ExitCode', 'Status'])('is not made of an inspection that leaves out %s', (name) => {
    const answer = inspectedAnswer(1, { [name]: undefined });
    expect(inspectedSchema.safeParse(answer).success).toBe(false);
  });
});

describe('containerStatus', () => {
  it.each([
    ['running', 'none', 'running'],
    ['running', 'healthy', 'running'],
    ['running', 'starting', 'starting'],
    ['running', 'unhealthy', 'degraded'],
    ['paused', 'unhealthy', 'paused'],
    ['restarting', 'none', 'failed'],
    ['dead', 'none', 'failed'],
    ['exited', 'none', 'stopped'],
    ['created', 'none', 'stopped'],
    ['removing', 'none', 'stopped'],
    [null, 'none', 'unknown'],
  ] as const)('calls %s and %s %s', (state, health, status) => {
    expect(containerStatus(state, health)).toBe(status);
  });
});
