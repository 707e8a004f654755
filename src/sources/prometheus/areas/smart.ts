/** What disks say of their own health, through smartctl_exporter. */
import { metrics } from '../../../../signals/history.ts';
import type { SeriesAnswer } from '../answer.ts';
import { label, lastValue } from '../answers.ts';
import { defineArea } from '../area.ts';
import type { Disk } from '../disks.ts';
import { pastSeries } from '../past-series.ts';
import { anyOf, quote, type Selector, whoseLast } from '../promql.ts';
import { LIFE_LEFT_NAMES, smartAttributes, smartReading, unpackCounter } from '../smart-readings.ts';
import { addReading, type SurveyWorld } from '../survey-world.ts';

const HEALTH = [
  'smartctl_device_smart_status',
  'smartctl_device_smartctl_exit_status',
  'smartctl_device_power_on_seconds',
  'smartctl_device_percentage_used',
  'smartctl_device_available_spare',
  'smartctl_device_available_spare_threshold',
  'smartctl_device_critical_warning',
  'smartctl_device_media_errors',
  'smartctl_scsi_grown_defect_list',
  'smartctl_read_total_uncorrected_errors',
  'smartctl_write_total_uncorrected_errors',
];
/** By their whole name. */
const SHORT_NAMES = new Map(HEALTH.map((name) => [name, name.replace(/^smartctl_(?:device_)?/, '')]));
/** Counters that are judged by their change: attributes, and those that NVMe and SCSI disks have instead. */
const COUNTER_IDS = '5|187|188|196|197|198|199';
const COUNTERS = [
  'smartctl_device_media_errors',
  'smartctl_scsi_grown_defect_list',
  'smartctl_read_total_uncorrected_errors',
  'smartctl_write_total_uncorrected_errors',
];

/** A week tells a counter that stands still from one that rises. */
const PAST = { spanMs: 7 * 24 * 3_600_000, stepMs: 6 * 3_600_000 };

/**
 * Of some 20 attributes with four series each those that are judged: counters, the normalised value of reallocated
 * sectors, the life that is left, and whatever is at or below its threshold.
 */
const judgedAttributes = (select: Selector): string => {
  const of = (...matchers: readonly string[]): string => select('smartctl_device_attribute', ...matchers);
  const [value, threshold] = ['value', 'thresh'].map((type) => of(`attribute_value_type="${type}"`));
  // A comparison drops the label that it ignores, `and` keeps it.
  const other = 'ignoring (attribute_value_type)';
  const parts = [
    of('attribute_value_type="raw"', `attribute_id=~${quote(COUNTER_IDS)}`),
    of('attribute_value_type=~"value|worst|thresh"', 'attribute_id="5"'),
    of('attribute_value_type=~"raw|value"', `attribute_name=~${quote(LIFE_LEFT_NAMES)}`),
    `(${select('smartctl_device_attribute')} and ${other} (${value} <= ${other} (${threshold} > 0)))`,
  ];
  const labels = 'job, instance, device, attribute_id, attribute_name, attribute_flags_long, attribute_value_type';
  return `max by (${labels}) (${parts.join(' or ')})`;
};

export const smartArea = defineArea({
  name: 'smart',
  queries: [
    {
      name: 'smart_health',
      needs: ['smartctl_device'],
      reads: ['smart'],
      pace: 'hourly',
      promql: ({ select }) => anyOf(select, HEALTH),
    },
    {
      name: 'smart_attributes',
      needs: ['smartctl_device_attribute'],
      reads: ['smart'],
      pace: 'hourly',
      promql: ({ select }) => judgedAttributes(select),
    },
    {
      name: 'smart_tables',
      needs: ['smartctl_device_attribute'],
      reads: ['smart'],
      pace: 'hourly',
      promql: ({ select }) =>
        `count by (job, instance, device) (${select('smartctl_device_attribute', 'attribute_value_type="raw"')})`,
    },
    {
      name: 'smart_endurance',
      needs: ['smartctl_device_statistics'],
      reads: ['smart'],
      pace: 'hourly',
      promql: ({ select }) =>
        select('smartctl_device_statistics', 'statistic_name="Percentage Used Endurance Indicator"'),
    },
    {
      name: 'smart_attributes_past',
      needs: ['smartctl_device_attribute'],
      reads: ['smart'],
      pace: 'hourly',
      range: PAST,
      promql: ({ select }) =>
        whoseLast(
          select('smartctl_device_attribute', 'attribute_value_type="raw"', `attribute_id=~${quote(COUNTER_IDS)}`),
          '> 0',
        ),
    },
    {
      name: 'smart_counters_past',
      needs: ['smartctl_device'],
      reads: ['smart'],
      pace: 'hourly',
      range: PAST,
      promql: ({ select }) => {
        const counters = anyOf(select, COUNTERS);
        // `and` does not compare metric names; without its own each counter would be kept for another one's sake.
        return `${counters} and on (job, instance, device) (${counters} @ end() > 0)`;
      },
    },
  ],
  map: (world) => {
    const byDisk = (name: string): ReadonlyMap<Disk, readonly SeriesAnswer[]> => {
      const groups = new Map<Disk, SeriesAnswer[]>();
      for (const series of world.answers.series(name)) {
        const disk = world.disks.ofSmart(series.labels);
        if (disk === undefined) continue;
        const group = groups.get(disk);
        if (group === undefined) groups.set(disk, [series]);
        else group.push(series);
      }
      return groups;
    };
    const parts = {
      health: byDisk('smart_health'),
      attributes: byDisk('smart_attributes'),
      tables: byDisk('smart_tables'),
      endurance: byDisk('smart_endurance'),
      attributesPast: byDisk('smart_attributes_past'),
      countersPast: byDisk('smart_counters_past'),
    };
    for (const disk of world.disks.all) if (disk.smart !== null) mapDisk(world, disk, parts);
  },
});

type Parts = Readonly<
  Record<
    'health' | 'attributes' | 'tables' | 'endurance' | 'attributesPast' | 'countersPast',
    ReadonlyMap<Disk, readonly SeriesAnswer[]>
  >
>;

/** Bits 0 and 1 of smartctl's exit status: it was called wrongly, or the disk was not opened, perhaps since it sleeps. */
const NOT_READ = 0b11;

const mapDisk = (world: SurveyWorld, disk: Disk, parts: Parts): void => {
  const { out, request, answers } = world;
  const labels = disk.smart ?? {};
  const gap = (code: 'not_due' | 'asleep', reason: string): void =>
    out.gap({ ref: disk.ref, reads: ['smart'], code, reason });
  if (!request.paces.includes('hourly')) return void gap('not_due', 'SMART is read hourly');
  if (answers.state('smart_health') === 'failed' || answers.state('smart_attributes') === 'failed') return;
  const values: Record<string, number> = {};
  for (const series of parts.health.get(disk) ?? []) {
    const short = SHORT_NAMES.get(label(series.labels, '__name__'));
    if (short !== undefined) values[short] = lastValue(series);
  }
  for (const series of parts.endurance.get(disk) ?? []) values['endurance_used'] = lastValue(series);
  for (const series of parts.tables.get(disk) ?? []) values['attribute_count'] = lastValue(series);
  if (((values['smartctl_exit_status'] ?? 0) & NOT_READ) !== 0)
    return void gap('asleep', 'smartctl did not read the disk: it sleeps, or could not be opened');
  const attributes = smartAttributes(parts.attributes.get(disk) ?? []);
  // Nothing but its name: the disk has no SMART, or it is switched off.
  if (values['smart_status'] === undefined && attributes.length === 0 && values['available_spare'] === undefined) {
    out.gap({
      ref: disk.ref,
      reads: ['smart'],
      code: 'not_supported',
      reason: 'smartctl_exporter knows nothing of its health: it has no SMART, or it is switched off',
    });
    return;
  }
  addReading(world, disk.ref, labels, smartReading(disk, values, attributes));
  for (const { labels: own, points } of parts.attributesPast.get(disk) ?? []) {
    const id = Number(label(own, 'attribute_id'));
    const counts = points.map(({ atMs, value }) => ({ atMs, value: unpackCounter(id, value) }));
    out.series(pastSeries(world, disk.ref, metrics.smartAttribute(id), counts));
  }
  addCounterPasts(world, disk, parts.countersPast.get(disk) ?? []);
};

const addCounterPasts = (world: SurveyWorld, { ref }: Disk, pasts: readonly SeriesAnswer[]): void => {
  const uncorrected = new Map<number, number>();
  for (const { labels, points } of pasts) {
    const name = label(labels, '__name__');
    if (name === 'smartctl_device_media_errors')
      world.out.series(pastSeries(world, ref, metrics.nvmeMediaErrors, points));
    else if (name === 'smartctl_scsi_grown_defect_list')
      world.out.series(pastSeries(world, ref, metrics.scsiGrownDefects, points));
    else for (const { atMs, value } of points) uncorrected.set(atMs, (uncorrected.get(atMs) ?? 0) + value);
  }
  const points = [...uncorrected].map(([atMs, value]) => ({ atMs, value })).toSorted((a, b) => a.atMs - b.atMs);
  world.out.series(pastSeries(world, ref, metrics.scsiUncorrected, points));
};
