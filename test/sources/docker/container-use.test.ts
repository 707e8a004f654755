import { describe, expect, it } from 'vitest';
import { inspectedSchema } from '../../../src/sources/docker/container-schema.ts';
import { cpuCount, cpuUse, hasMemoryLimit, memoryUse } from '../../../src/sources/docker/container-use.ts';
import { cpuAllowance, cpusetSize } from '../../../src/sources/docker/cpu-allowance.ts';
import { type CpuCount, isComparable } from '../../../src/sources/docker/cpu-use.ts';
import { statsSchema } from '../../../src/sources/docker/stats-schema.ts';
import { ENGINE_NOW, inspectedAnswer, statsAnswer } from '../../support/scripted-engine.ts';

const MIB = 2 ** 20;
const GIB = 2 ** 30;
const docker = { kind: 'docker', version: '27.5.1', cpus: 4, memoryBytes: 8 * GIB } as const;
const inspected = (host: Record<string, unknown> = {}) => inspectedSchema.parse(inspectedAnswer(1, {}, host));
const counters = (memory: Record<string, unknown>, usedMs = 1_000) => ({
  stats: statsSchema.parse(statsAnswer(ENGINE_NOW, usedMs, memory)),
  readAtMs: Date.parse(ENGINE_NOW),
  seenAtMs: 5_000,
});

describe('cpuAllowance', () => {
  it.each([
    ['the CPUs of the host', {}, 4, 4],
    ['its share in CPUs', { NanoCpus: 500_000_000 }, 4, 0.5],
    ['its quota', { CpuQuota: 150_000, CpuPeriod: 100_000 }, 4, 1.5],
    ['its quota in the default period', { CpuQuota: 50_000 }, 4, 0.5],
    ['the host where the quota is -1', { CpuQuota: -1 }, 4, 4],
    ['the CPUs that it is bound to', { CpusetCpus: '0-1,3' }, 4, 3],
    ['the smallest of them all', { CpusetCpus: '0-1', NanoCpus: 1_500_000_000 }, 4, 1.5],
    ['the host where it may use more than there is', { NanoCpus: 16_000_000_000 }, 4, 4],
    ['unknown', {}, null, null],
  ])('is %s', (_what, host, cpus, allowed) => {
    expect(cpuAllowance(inspected(host).HostConfig, cpus)).toBe(allowed);
  });

  it.each([
    ['', null],
    ['0', 1],
    ['0-3', 4],
    ['0-3,2', 4],
    ['a', null],
    ['3-1', null],
  ])('counts the CPUs of %j', (list, size) => {
    expect(cpusetSize(list)).toBe(size);
  });
});

describe('isComparable', () => {
  const count = (usedMs: number, atMs: number, more: Partial<CpuCount> = {}): CpuCount => ({
    usedMs,
    atMs,
    seenAtMs: atMs,
    startedAtMs: 1,
    ...more,
  });

  it.each([
    ['two counts of one run', count(10, 0), count(20, 60_000), true],
    ['the first count', undefined, count(20, 60_000), false],
    ['a count from before a restart', count(10, 0, { startedAtMs: 0 }), count(20, 60_000), false],
    ['a counter that fell', count(30, 0), count(20, 60_000), false],
    ['two counts of the same moment', count(10, 0), count(10, 0), false],
    ['counts that lie a day apart', count(10, 0), count(20, 86_400_000), false],
    [
      'counts between which the clock of the engine was set',
      count(10, 0),
      count(20, 600_000, { seenAtMs: 60_000 }),
      false,
    ],
    ['counts between which our clock was set', count(10, 0), count(20, 60_000, { seenAtMs: -600_000 }), false],
    ['clocks that drift a little', count(10, 0), count(20, 300_000, { seenAtMs: 310_000 }), true],
  ])('%s', (_what, before, now, comparable) => {
    expect(isComparable(before, now)).toBe(comparable);
  });
});

describe('cpuUse', () => {
  it('is relative to what the container may use, over the time between the counts', () => {
    const before = cpuCount(counters({}, 1_000), inspected());
    const now = {
      ...cpuCount(counters({}, 31_000), inspected()),
      atMs: before.atMs + 60_000,
      seenAtMs: before.seenAtMs + 60_000,
    };
    const { readings, missing } = cpuUse(before, now, inspected({ NanoCpus: 1_000_000_000 }), docker);
    expect(missing).toEqual([]);
    expect(readings).toEqual([
      { kind: 'cpu', busyRatio: 0.5, iowaitRatio: null, stealRatio: null, windowMs: 60_000, observedRatio: 1 },
    ]);
  });

  it('says that it needs a second count, which is no failure', () => {
    const { readings, missing } = cpuUse(undefined, cpuCount(counters({}), inspected()), inspected(), docker);
    expect(readings).toEqual([]);
    expect(missing).toEqual([{ reads: ['cpu'], code: 'not_due', reason: 'CPU use is measured between two surveys' }]);
  });
});

describe('memoryUse', () => {
  const used = (memory: Record<string, unknown>, engine: Parameters<typeof memoryUse>[2] = docker, limit = 256 * MIB) =>
    memoryUse(counters(memory), inspected({ Memory: limit }), engine);

  it.each([
    ['cgroup v2', { usage: 100 * MIB, stats: { inactive_file: 30 * MIB } }, docker, 70 * MIB],
    [
      'cgroup v1, whose own count is that of one level only',
      { usage: 100 * MIB, stats: { inactive_file: 1, total_inactive_file: 40 * MIB } },
      docker,
      60 * MIB,
    ],
    [
      'counters that were read at different moments',
      { usage: 10 * MIB, stats: { inactive_file: 40 * MIB } },
      docker,
      0,
    ],
    [
      'Podman 5, which takes the cache off itself',
      { usage: 50 * MIB, stats: null },
      { ...docker, kind: 'podman', version: '5.4.0' } as const,
      50 * MIB,
    ],
  ])('leaves out the page cache with %s', (_what, memory, engine, workingSetBytes) => {
    expect(used(memory, engine).readings).toEqual([
      { kind: 'container_memory', workingSetBytes, limitBytes: 256 * MIB, windowMs: 0, observedRatio: 1 },
    ]);
  });

  it.each([
    ['cgroups without a memory controller', { usage: undefined, stats: undefined }, docker],
    [
      'an older Podman, which counts the cache',
      { stats: null },
      { ...docker, kind: 'podman', version: '4.3.1' } as const,
    ],
  ])('is not supported with %s, where a limit asks for it', (_what, memory, engine) => {
    expect(used(memory, engine)).toMatchObject({
      readings: [],
      missing: [{ reads: ['container_memory'], code: 'not_supported' }],
    });
    expect(used(memory, engine, 0)).toEqual({ readings: [], missing: [] });
  });

  it.each([
    ['none was set', 0, null, false],
    ['it is that of the host', 8 * GIB, null, false],
    ['it is more than the host has', 9 * GIB, null, false],
    ['it is below what the host has', 256 * MIB, 256 * MIB, true],
  ])('has a limit only where one was set that counts: %s', (_what, Memory, limitBytes, expected) => {
    expect(used({ usage: MIB, stats: { inactive_file: 0 } }, docker, Memory).readings).toMatchObject([{ limitBytes }]);
    expect(hasMemoryLimit(inspected({ Memory }), docker)).toBe(expected);
  });
});
