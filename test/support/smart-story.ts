/** Disks of every class, sick in one way or another. */
import { smartFailure } from '../../signals/detectors/smart-failure.ts';
import type { NvmeHealth, SelfTest, SmartAttribute, SmartReading } from '../../signals/reading.ts';
import { tell } from './readings.ts';
import { DAY_MS, resourceOf, START_MS, settingsOf, startStory } from './signal-story.ts';

export const disk = resourceOf('disk', { expects: ['smart'] });
export const story = (metric = 'smartHealth', settings: Record<string, unknown> = {}) =>
  startStory({ detector: smartFailure, resource: disk, settings: settingsOf('disk', metric, settings) });

export const attribute = (id: number, count: number, more: Partial<SmartAttribute> = {}): SmartAttribute => ({
  id,
  name: `Attribute_${id}`,
  value: 100,
  worst: 100,
  threshold: 10,
  prefail: false,
  count,
  whenFailed: 'never',
  ...more,
});
export const ata = (attributes: readonly SmartAttribute[], more: Partial<SmartReading> = {}) => [
  tell('smart', { attributes, ...more }),
];
export const count = (id: number, value: number, more: Partial<SmartReading> = {}) => ata([attribute(id, value)], more);
export const nvme = (health: Partial<NvmeHealth> = {}, more: Partial<SmartReading> = {}) => [
  tell('smart', {
    deviceClass: 'nvme',
    nvme: {
      criticalWarning: 0,
      availableSparePercent: 100,
      availableSpareThresholdPercent: 10,
      mediaErrors: 0,
      ...health,
    },
    ...more,
  }),
];
export const scsi = (grownDefects: number | null, uncorrectedErrors: number | null) => [
  tell('smart', { deviceClass: 'scsi', scsi: { grownDefects, uncorrectedErrors } }),
];
export const tests = (...selfTests: readonly (readonly [SelfTest['kind'], boolean | null])[]) =>
  ata([], { selfTests: selfTests.map(([kind, passed]) => ({ kind, passed, atPowerOnHours: 19_000 })) });

/** What a disk is after it was seen before with other counts. */
export const seenBefore = (metric: string, past: readonly (readonly [daysAgo: number, value: number])[]) =>
  story().past(
    metric,
    past.map(([daysAgo, value]) => [START_MS - daysAgo * DAY_MS, value]),
  );
