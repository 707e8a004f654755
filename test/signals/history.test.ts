import { expect, test } from 'vitest';
import { metrics, remember } from '../../signals/history.ts';
import type { Reading, ReadingBody } from '../../signals/reading.ts';
import { READING_KINDS } from '../../signals/reading-mask.ts';
import { tell } from '../support/readings.ts';

const kept = (body: ReadingBody) => remember(body as Reading);

test.each(READING_KINDS)('of %s only numbers are remembered', (kind) => {
  for (const { value, windowMs, metric } of kept(tell(kind) as ReadingBody)) {
    expect(Number.isFinite(value)).toBe(true);
    expect(windowMs).toBeGreaterThanOrEqual(0);
    expect(metric).toMatch(/^[a-zA-Z.0-9 ]+$/);
  }
});

test('a mean that saw part of its window is remembered as the mean over that part', () => {
  expect(kept(tell('cpu', { windowMs: 600_000, observedRatio: 0.5 }))).toContainEqual({
    metric: metrics.cpu,
    value: 0.2,
    windowMs: 300_000,
    keep: 'every',
  });
});

test('what is not known is not remembered', () => {
  expect(kept(tell('cpu', { iowaitRatio: null })).map(({ metric }) => metric)).toEqual([metrics.cpu]);
  expect(kept(tell('memory', { totalBytes: 0 }))).toEqual([]);
  expect(kept(tell('filesystem', { superblockReadOnly: null })).map(({ metric }) => metric)).not.toContain(
    metrics.readOnly,
  );
  expect(kept(tell('clock', { offsetMs: null }))).toEqual([]);
  expect(kept(tell('container_memory', { limitBytes: null }))).toEqual([]);
});

test('counters of a disk are remembered by what they count', () => {
  const nvme = { criticalWarning: 0, availableSparePercent: 100, availableSpareThresholdPercent: 10, mediaErrors: 3 };
  const attribute = {
    id: 5,
    name: 'Reallocated_Sector_Ct',
    value: 100,
    worst: 100,
    threshold: 10,
    prefail: true,
    count: 8,
    whenFailed: 'never',
  } as const;
  const scsi = { grownDefects: 1, uncorrectedErrors: 2 };
  expect(
    kept(tell('smart', { attributes: [attribute], nvme, scsi })).map(({ metric, value, keep }) => [
      metric,
      value,
      keep,
    ]),
  ).toEqual([
    ['smart.5', 8, 'change'],
    ['smart.nvme.mediaErrors', 3, 'change'],
    ['smart.scsi.grownDefects', 1, 'change'],
    ['smart.scsi.uncorrected', 2, 'change'],
  ]);
});
