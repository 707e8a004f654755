import { describe, expect, test } from 'vitest';
import { cpuUseBetween, parseProcStat } from '../../../src/sources/host/proc-stat.ts';

const TEXT = `cpu  1000 50 300 8000 600 0 40 20 700 30
cpu0 500 25 150 4000 300 0 20 10 350 15
cpu1 500 25 150 4000 300 0 20 10 350 15
intr 1 2 3
btime 1700000000
processes 1
`;

test('guest time is part of user and nice already', () => {
  expect(parseProcStat(TEXT)).toEqual({
    ticks: { busy: 1390, idle: 8000, iowait: 600, steal: 20 },
    cpuCount: 2,
    bootedAtMs: 1_700_000_000_000,
  });
});

test.each(['', 'cpu', 'cpu  1 2\nbtime 1', 'cpu  a b c d\nbtime 1', 'cpu  1 2 3 4'])('%j is not /proc/stat', (text) => {
  expect(parseProcStat(text)).toBeNull();
});

describe('between two reads', () => {
  const from = { busy: 100, idle: 1000, iowait: 50, steal: 5 };

  test('busy, waiting and stolen time are apart', () => {
    const use = cpuUseBetween(from, { busy: 140, idle: 1040, iowait: 60, steal: 15 });
    expect(use).toEqual({ busyRatio: 0.4, iowaitRatio: 0.1, stealRatio: 0.1 });
  });

  test('iowait that steps back counts as none', () => {
    expect(cpuUseBetween(from, { busy: 150, idle: 1050, iowait: 40, steal: 5 })).toEqual({
      busyRatio: 0.5,
      iowaitRatio: 0,
      stealRatio: 0,
    });
  });

  test('counters that stand still say nothing', () => {
    expect(cpuUseBetween(from, from)).toBeNull();
  });
});
