import { expect, test } from 'vitest';
import { smartReportSchema } from '../../../src/sources/host/smart-schema.ts';
import { smartTemperature } from '../../../src/sources/host/smart-temperature.ts';

const temperature = (more: Readonly<Record<string, unknown>>) =>
  smartTemperature(smartReportSchema.parse({ json_format_version: [1, 0], smartctl: {}, ...more }), 'hdd');

test('a history of the disk’s own gives the mean of five minutes', () => {
  const history = { logging_interval_minutes: 1, table: [20, 30, 40, 40, 40, 45] };
  expect(temperature({ temperature: { current: 45 }, ata_sct_temperature_history: history })).toMatchObject({
    celsius: 39,
    windowMs: 300_000,
  });
});

test.each([
  [{ logging_interval_minutes: 1, table: [40, null, 40, 40, 40] }],
  [{ logging_interval_minutes: 0, table: [40, 40, 40, 40, 40] }],
  [undefined],
])('without a whole one (%j) it is the moment', (history) => {
  expect(temperature({ temperature: { current: 45 }, ata_sct_temperature_history: history })).toMatchObject({
    celsius: 45,
    windowMs: 0,
  });
});

test('trip points are those that the disk names', () => {
  const nvme = { temperature: { current: 40 }, nvme_composite_temperature_threshold: { warning: 82, critical: 85 } };
  expect(temperature(nvme)).toMatchObject({ warnCelsius: 82, criticalCelsius: 85 });
  expect(temperature({ temperature: { current: 40, drive_trip: 60 } })).toMatchObject({
    warnCelsius: null,
    criticalCelsius: 60,
  });
  expect(temperature({ temperature: { current: 40, drive_trip: 0 } })).toMatchObject({ criticalCelsius: null });
});

test.each([{}, { temperature: {} }, { temperature: { current: 0, drive_trip: 0 } }])('%j is no temperature', (more) => {
  expect(temperature(more)).toBeNull();
});
