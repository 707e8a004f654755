import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { temperatureHigh } from '../../../signals/detectors/temperature-high.ts';
import type { TemperatureReading } from '../../../signals/reading.ts';
import { tell } from '../../support/readings.ts';
import {
  MINUTE_MS,
  rankOf,
  resourceOf,
  START_MS,
  settingsOf,
  signalOf,
  startStory,
} from '../../support/signal-story.ts';

const disk = resourceOf('disk', { expects: ['temperature', 'smart'] });
const host = resourceOf('host', { expects: ['temperature'] });
const story = (resource = disk, metric = 'temperature', settings: Record<string, unknown> = {}) =>
  startStory({ detector: temperatureHigh, resource, settings: settingsOf(resource.kind, metric, settings) });
const heat = (celsius: number, more: Partial<TemperatureReading> = {}) => tell('temperature', { celsius, ...more });
const nvme = (criticalWarning: number) =>
  tell('smart', {
    deviceClass: 'nvme',
    nvme: { criticalWarning, availableSparePercent: 100, availableSpareThresholdPercent: 10, mediaErrors: 0 },
  });

describe('a drive without trip points', () => {
  test.each([
    ['hdd', 54.9, 'clear'],
    ['hdd', 55, 'raised:warning'],
    ['hdd', 60, 'raised:critical'],
    ['sata-ssd', 59.9, 'clear'],
    ['sata-ssd', 60, 'raised:warning'],
    ['sata-ssd', 70, 'raised:critical'],
    ['nvme', 69.9, 'clear'],
    ['nvme', 70, 'raised:warning'],
    ['nvme', 80, 'raised:critical'],
  ] as const)('of class %s at %d °C is %s', (deviceClass, celsius, state) => {
    expect(story().look([heat(celsius, { deviceClass })]).states).toEqual({ '': state });
  });

  test('is told with its limit and what clears it', () => {
    expect(signalOf(story().look([heat(57.4)]))).toMatchObject({
      key: 'temperature_high',
      summary: '57.4 °C over 5 min, limit 55 °C (default); 57.4 °C now',
      clearsWhen: 'the mean over 5 min is back at 52 °C or less',
      level: { value: 57.4, unit: 'celsius' },
    });
  });

  test('stays raised inside the band, in both directions', () => {
    const one = story();
    const said = [54, 56, 53, 61, 58, 57, 53, 52, 54].map(
      (celsius) => one.wait(5 * MINUTE_MS).look([heat(celsius)]).states[''],
    );
    const [clear, warning, critical] = ['clear', 'raised:warning', 'raised:critical'];
    expect(said).toEqual([clear, warning, warning, critical, critical, warning, warning, clear, clear]);
  });
});

describe('a drive’s own trip points', () => {
  test.each([
    [83, 88, 82, 'clear'],
    [83, 88, 83, 'raised:warning'],
    [83, 88, 88, 'raised:critical'],
    [null, 90, 84, 'clear'],
    [null, 90, 85, 'raised:warning'],
    [null, 90, 90, 'raised:critical'],
    [83, null, 84, 'raised:warning'],
    [95, 88, 84, 'raised:warning'],
    [0, 0, 71, 'raised:warning'],
    [-273, 255, 81, 'raised:critical'],
  ] as const)(
    'of %s and %s go before those of its class, if they make sense: at %d °C it is %s',
    (warnCelsius, criticalCelsius, celsius, state) => {
      expect(story().look([heat(celsius, { deviceClass: 'nvme', warnCelsius, criticalCelsius })]).states).toEqual({
        '': state,
      });
    },
  );

  test('are named as such', () => {
    const { summary } = signalOf(story().look([heat(85, { warnCelsius: 83, criticalCelsius: 88 })]));
    expect(summary).toContain("limit 83 °C (derived: the device's own trip point)");
  });
});

describe('what the operator wrote', () => {
  test('goes before everything else, of any device', () => {
    const one = story(disk, 'temperature', { warning: 40 });
    expect(signalOf(one.look([heat(45, { warnCelsius: 83, criticalCelsius: 88 })])).summary).toContain(
      'limit 40 °C (alerts.disk.temperature.warning)',
    );
  });

  test('for a class goes before trip points', () => {
    expect(
      story(disk, 'temperatureHdd', { warning: 45 }).look([heat(46, { warnCelsius: 60, criticalCelsius: 65 })]).states,
    ).toEqual({ '': 'raised:warning' });
    expect(story(disk, 'temperatureNvme', { warning: 45 }).look([heat(46)]).states).toEqual({ '': 'clear' });
  });

  test('above the default critical limit takes that away with it', () => {
    expect(story(disk, 'temperature', { warning: 62 }).look([heat(61)]).states).toEqual({ '': 'clear' });
    expect(story(disk, 'temperature', { warning: 62 }).look([heat(63)]).states).toEqual({ '': 'raised:warning' });
  });

  test('may be off, for all or for a class', () => {
    expect(story(disk, 'temperature', { off: true }).look([heat(99)]).verdicts).toEqual([]);
    expect(story(disk, 'temperatureHdd', { off: true }).look([heat(99)]).verdicts).toEqual([]);
    expect(story(disk, 'temperatureHdd', { off: true }).look([heat(99, { deviceClass: 'nvme' })]).states).toEqual({
      '': 'raised:critical',
    });
  });
});

describe('the sensors of a machine', () => {
  const cpu = (sensor: string, celsius: number, more: Partial<TemperatureReading> = {}) =>
    heat(celsius, { sensor, deviceClass: 'cpu', ...more });

  test('are findings of their own, where they name a trip point', () => {
    const look = story(host).look([
      cpu('coretemp Package id 0', 91, { criticalCelsius: 100, warnCelsius: 90 }),
      cpu('acpitz', 50, { criticalCelsius: 105 }),
    ]);
    expect(look.states).toEqual({ 'coretemp Package id 0': 'raised:warning', acpitz: 'clear' });
    expect(look.verdicts[0]).toMatchObject({
      signal: {
        key: 'temperature_high:coretemp Package id 0',
        summary: expect.stringContaining('coretemp Package id 0: 91 °C over 5 min'),
      },
    });
  });

  test('without one are judged only if the operator wrote a limit', () => {
    expect(story(host).look([cpu('k10temp Tctl', 99)])).toMatchObject({
      verdicts: [],
      skipped: [{ code: 'out_of_scope' }],
    });
    expect(story(host, 'temperature', { warning: 85 }).look([cpu('k10temp Tctl', 99)]).states).toEqual({
      'k10temp Tctl': 'raised:warning',
    });
  });

  test('one that is gone is absent, one that could not be read is unobserved', () => {
    const one = story(host);
    const hot = cpu('a', 95, { criticalCelsius: 90 });
    const cool = cpu('b', 40, { criticalCelsius: 90 });
    one.look([hot, cool]);
    expect(one.wait(5 * MINUTE_MS).look([cool]).absent).toMatchObject([{ subject: 'a' }]);
    const stale = { ...hot, stamp: { ageMs: 20 * MINUTE_MS } };
    expect(one.wait(5 * MINUTE_MS).look([cool, stale]).states).toEqual({ a: 'unobserved:stale', b: 'clear' });
  });
});

describe('a moment', () => {
  test('of heat is none', () => {
    const one = story();
    const instant = (celsius: number) => [heat(celsius, { windowMs: 0 })];
    const said = [40, 40, 62, 40].map((celsius) => one.wait(2.5 * MINUTE_MS).look(instant(celsius)).states['']);
    expect(said).toEqual(['unobserved:warming_up', 'unobserved:warming_up', 'clear', 'clear']);
  });

  test('after hours without a look warms up with one more look', () => {
    const one = story();
    one.look([heat(40, { windowMs: 0 })]);
    expect(one.wait(60 * MINUTE_MS).look([heat(62, { windowMs: 0 })]).states).toEqual({ '': 'raised:critical' });
  });
});

describe('an NVMe drive’s own temperature bit', () => {
  test('is believed at once, and is a warning', () => {
    expect(signalOf(story().look([nvme(0b10)]))).toMatchObject({
      severity: 'warning',
      summary: expect.stringContaining('the drive itself says'),
    });
  });

  test('does not lower what the temperature says', () => {
    const hot = { deviceClass: 'nvme', warnCelsius: 80, criticalCelsius: 85 } as const;
    expect(story().look([nvme(0b10), heat(86, hot)]).states).toEqual({ '': 'raised:critical' });
    expect(story().look([nvme(0b10), heat(40, hot)]).states).toEqual({ '': 'raised:warning' });
    expect(story().look([nvme(0b10), heat(40, { ...hot, windowMs: 0 })]).states).toEqual({ '': 'raised:warning' });
  });

  test('that is not set proves nothing about the temperature', () => {
    expect(story().look([nvme(0)]).states).toEqual({ '': 'unobserved:no_reading' });
    const bare = resourceOf('disk', { expects: ['smart'] });
    expect(story(bare).look([nvme(0)])).toMatchObject({ verdicts: [], skipped: [{ code: 'out_of_scope' }] });
    expect(story(bare).look([nvme(0b1101)]).verdicts).toEqual([]);
  });
});

test('a disk that sleeps is not woken: unobserved, and what was raised stays', () => {
  const one = story();
  one.look([heat(61)]);
  const gaps = [{ sourceId: 'host', reads: ['temperature'], code: 'asleep', reason: 'it sleeps' }] as const;
  expect(
    one
      .restart()
      .wait(5 * MINUTE_MS)
      .look([], { gaps }).states,
  ).toEqual({ '': 'unobserved:asleep' });
  expect(one.memory()).toMatchObject({ severity: 'critical', sinceMs: START_MS });
});

test('more heat never lowers the severity', () => {
  const celsius = fc.double({ min: 20, max: 110, noNaN: true });
  const trip = fc.option(fc.integer({ min: 0, max: 120 }));
  fc.assert(
    fc.property(
      celsius,
      celsius,
      trip,
      trip,
      fc.boolean(),
      fc.constantFrom('hdd', 'nvme', 'cpu'),
      (a, b, warnCelsius, criticalCelsius, raisedBefore, deviceClass) => {
        const rank = (value: number): number => {
          const one = story();
          if (raisedBefore) one.look([heat(109, { warnCelsius, criticalCelsius, deviceClass })]);
          return rankOf(one.wait(5 * MINUTE_MS).look([heat(value, { warnCelsius, criticalCelsius, deviceClass })]));
        };
        expect(rank(Math.max(a, b))).toBeGreaterThanOrEqual(rank(Math.min(a, b)));
      },
    ),
  );
});
