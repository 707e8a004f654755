/** Temperatures of machines (hwmon) and disks (hwmon, smartctl_exporter), averaged by Prometheus. */
import { type Labels, targetKey } from '../answer.ts';
import { label, lastValue } from '../answers.ts';
import { defineArea } from '../area.ts';
import { isSameDevice } from '../disk-names.ts';
import type { Disk } from '../disks.ts';
import { anyOf, observedShare, seconds } from '../promql.ts';
import { readSensors, sensorKey } from '../sensors.ts';
import { addReading, type SurveyWorld } from '../survey-world.ts';

/** One sensor of a disk, whoever reads it; the host source calls it so too. */
const DISK_SENSOR = 'drive';
const SMART_CURRENT = 'temperature_type="current"';

export const temperaturesArea = defineArea({
  name: 'temperatures',
  queries: [
    {
      name: 'node_temperature',
      needs: ['node_hwmon_temp_celsius'],
      reads: ['temperature'],
      promql: ({ select, windowMs }) =>
        `avg_over_time(${select('node_hwmon_temp_celsius')}[${seconds(windowMs.temperature)}]) and ${select('node_hwmon_temp_celsius')}`,
    },
    {
      name: 'node_temperature_observed',
      needs: ['node_hwmon_temp_celsius', 'node_boot_time_seconds'],
      reads: ['temperature'],
      promql: ({ select, windowMs }) => observedShare(select('node_boot_time_seconds'), windowMs.temperature),
    },
    {
      name: 'node_temperature_limits',
      needs: ['node_hwmon_temp_celsius'],
      reads: ['temperature'],
      promql: ({ select }) => anyOf(select, ['node_hwmon_temp_max_celsius', 'node_hwmon_temp_crit_celsius']),
    },
    {
      name: 'node_sensor_names',
      needs: ['node_hwmon_temp_celsius'],
      reads: ['temperature'],
      promql: ({ select }) => anyOf(select, ['node_hwmon_chip_names', 'node_hwmon_sensor_label'], 'sensor=~"|temp.*"'),
    },
    {
      name: 'smart_temperature',
      needs: ['smartctl_device_temperature'],
      reads: ['temperature'],
      promql: ({ select, windowMs }) => {
        const current = select('smartctl_device_temperature', SMART_CURRENT);
        return `avg_over_time(${current}[${seconds(windowMs.temperature)}]) and ${current}`;
      },
    },
    {
      name: 'smart_temperature_observed',
      needs: ['smartctl_device_temperature'],
      reads: ['temperature'],
      promql: ({ select, windowMs }) =>
        observedShare(select('smartctl_device_temperature', SMART_CURRENT), windowMs.temperature),
    },
    {
      name: 'smart_temperature_limits',
      needs: ['smartctl_device_temperature'],
      reads: ['temperature'],
      promql: ({ select }) => select('smartctl_device_temperature', 'temperature_type="drive_trip"'),
    },
  ],
  map: (world) => {
    const done = new Set<Disk>();
    mapSensors(world, done);
    mapDisks(world, done);
  },
});

const observedOf = ({ answers }: SurveyWorld, name: string): ReadonlyMap<string, number> =>
  new Map(answers.series(name).map((series) => [targetKey(series.labels), Math.min(1, lastValue(series))]));

const diskOf = ({ disks }: SurveyWorld, hostRef: string, controller: string | null): Disk | undefined =>
  controller === null
    ? undefined
    : disks.all.find((disk) => disk.hostRef === hostRef && isSameDevice(disk.device, controller));

const mapSensors = (world: SurveyWorld, done: Set<Disk>): void => {
  const { answers, hosts, context } = world;
  const observed = observedOf(world, 'node_temperature_observed');
  if (answers.state('node_temperature_observed') === 'failed') return;
  const sensors = readSensors(answers);
  for (const series of answers.series('node_temperature')) {
    const { labels } = series;
    const host = hosts.ofNode(labels);
    const sensor = sensors.get(sensorKey(labels));
    if (host === null || sensor === undefined) continue;
    const disk = diskOf(world, host.ref, sensor.disk);
    // Of the sensors in an NVMe disk the first is the composite, which its limits are about.
    if (sensor.disk !== null && (disk === undefined || label(labels, 'sensor') !== 'temp1')) continue;
    if (disk !== undefined) done.add(disk);
    addReading(world, disk?.ref ?? host.ref, labels, {
      kind: 'temperature',
      sensor: disk === undefined ? sensor.name : DISK_SENSOR,
      celsius: lastValue(series),
      warnCelsius: sensor.warnCelsius,
      criticalCelsius: sensor.criticalCelsius,
      deviceClass: disk?.diskClass ?? (sensor.isCpu ? 'cpu' : 'other'),
      windowMs: context.windowMs.temperature,
      observedRatio: observed.get(targetKey(labels)) ?? 0,
    });
  }
};

const mapDisks = (world: SurveyWorld, done: ReadonlySet<Disk>): void => {
  const { answers, disks, context } = world;
  const observed = observedOf(world, 'smart_temperature_observed');
  if (answers.state('smart_temperature_observed') === 'failed') return;
  const limits = Map.groupBy(answers.series('smart_temperature_limits'), ({ labels }) => diskKey(labels));
  for (const series of answers.series('smart_temperature')) {
    const { labels } = series;
    const disk = disks.ofSmart(labels);
    const celsius = lastValue(series);
    // Bridges and RAID volumes answer 0 where they know none.
    if (disk === undefined || done.has(disk) || celsius <= 0) continue;
    const own = new Map(
      (limits.get(diskKey(labels)) ?? []).map((limit) => [label(limit.labels, 'temperature_type'), lastValue(limit)]),
    );
    addReading(world, disk.ref, labels, {
      kind: 'temperature',
      sensor: DISK_SENSOR,
      celsius,
      warnCelsius: null,
      criticalCelsius: plausible(own.get('drive_trip')),
      deviceClass: disk.diskClass ?? 'other',
      windowMs: context.windowMs.temperature,
      observedRatio: observed.get(targetKey(labels)) ?? 0,
    });
  }
};

const diskKey = (labels: Labels): string => `${targetKey(labels)}\n${label(labels, 'device')}`;

const plausible = (celsius: number | undefined): number | null =>
  celsius !== undefined && celsius > 0 && celsius < 150 ? celsius : null;
