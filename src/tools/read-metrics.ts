import { z } from 'zod';
import { formatDuration } from '../../signals/format.ts';
import type { Sample } from '../../signals/history.ts';
import type { Reading } from '../../signals/reading.ts';
import type { Resource } from '../../signals/resource.ts';
import { listReadings } from './list-readings.ts';
import { answerList, type Row } from './listing.ts';
import type { LookingContext } from './looking-context.ts';
import { cursorInput, resolveResource, resourceInput } from './named-resource.ts';
import { BUCKETS, bucketsOf, spreadOf } from './showing/buckets.ts';
import { formatMetric } from './showing/metric-unit.ts';
import { facts } from './showing/shown-facts.ts';
import { shownInstant, shownText } from './showing/shown-text.ts';
import { defineTool, type ToolOutcome } from './tool.ts';

const HOUR_MS = 3_600_000;
/** As long as counters are kept. */
const MAX_HOURS = 9_600;

const input = z.strictObject({
  resource: resourceInput.optional().describe('without: use of all, highest first'),
  metric: z.string().max(300).optional().describe('without: all of the resource, in short'),
  hours: z.int().min(1).max(MAX_HOURS).default(24),
  cursor: cursorInput,
});

type Asked = z.output<typeof input>;

const use = (reading: Reading): number => {
  switch (reading.kind) {
    case 'cpu':
      return reading.busyRatio;
    case 'memory':
      return reading.unavailableBytes / Math.max(1, reading.totalBytes);
    case 'container_memory':
      return reading.limitBytes === null ? 0 : reading.workingSetBytes / Math.max(1, reading.limitBytes);
    case 'temperature':
      return reading.celsius / 100;
    default:
      return 0;
  }
};

const samplesIn = ({ past, nowMs }: LookingContext, { id }: Resource, metric: string, hours: number) =>
  past.samples(id, metric).filter(({ atMs }) => atMs >= nowMs - hours * HOUR_MS);

/** An id to cite the past by; what it keeps is what the rows say. */
const noteSeries = (
  { evidence, nowMs, ledger }: LookingContext,
  { id, sourceIds }: Resource,
  metric: string,
  samples: readonly Sample[],
): string | null => {
  const spread = spreadOf(samples);
  if (spread === null) return null;
  const sourceId = ledger.world.readingsOf(id)[0]?.sourceId ?? sourceIds[0] ?? '';
  const shows = { metric, samples: samples.length, ...spread };
  return evidence.note({ kind: 'series', resourceId: id, sourceId, takenAtMs: nowMs, shows });
};

const metricRow = (context: LookingContext, resource: Resource, metric: string, hours: number): Row => {
  const samples = samplesIn(context, resource, metric, hours);
  const spread = spreadOf(samples);
  const id = noteSeries(context, resource, metric, samples);
  const show = (value: number): string => formatMetric(metric, value);
  return {
    named: [shownText(metric, 300), id],
    told: [
      spread === null
        ? { notObserved: 'no_samples', reason: 'nothing was kept of it in this time' }
        : facts({
            samples: samples.length,
            since: shownInstant(spread.first.atMs),
            first: show(spread.first.value),
            last: show(spread.last.value),
            mean: show(spread.mean),
            least: show(spread.least),
            most: show(spread.most),
          }),
    ],
    evidence: id === null ? [] : [id],
  };
};

const overview = (context: LookingContext, resource: Resource, asked: Asked): ToolOutcome => {
  const names = context.past.metricsOf(resource.id);
  return answerList(context, {
    tool: 'read_metrics',
    asked,
    summary: `${names.length} metrics over ${formatDuration(asked.hours * HOUR_MS)}.`,
    columns: ['metric', 'evidence', 'facts'],
    touched: [resource.id],
    rows: names.map((metric) => () => metricRow(context, resource, metric, asked.hours)),
  });
};

const course = (context: LookingContext, resource: Resource, metric: string, asked: Asked): ToolOutcome => {
  const samples = samplesIn(context, resource, metric, asked.hours);
  const id = noteSeries(context, resource, metric, samples);
  const show = (value: number): string => formatMetric(metric, value);
  const fromMs = context.nowMs - asked.hours * HOUR_MS;
  const rows: readonly (() => Row)[] =
    samples.length <= BUCKETS
      ? samples.map(({ atMs, value }) => () => ({ named: [], told: [shownInstant(atMs), show(value)] }))
      : bucketsOf(samples, fromMs, context.nowMs).map(({ fromMs: atMs, values }) => () => ({
          named: [],
          told: [
            shownInstant(atMs),
            ...(values === null ? ['not observed'] : [show(values.mean), show(values.least), show(values.most)]),
          ],
        }));
  return answerList(context, {
    tool: 'read_metrics',
    asked,
    summary: `${samples.length} samples over ${formatDuration(asked.hours * HOUR_MS)}, oldest first.${id === null ? '' : ` Evidence id: ${id}.`}`,
    columns: samples.length <= BUCKETS ? ['at', 'value'] : ['from', 'mean', 'least', 'most'],
    evidence: id === null ? [] : [id],
    touched: [resource.id],
    rows,
  });
};

export const readMetrics = defineTool<LookingContext, Asked>({
  name: 'read_metrics',
  effect: 'read',
  description: 'CPU, memory and temperature of all resources now; or the past of the metrics of one, over a window.',
  input,
  timeoutMs: 10_000,
  run: async (asked, context) => {
    if (asked.resource === undefined)
      return listReadings(context, {
        tool: 'read_metrics',
        asked,
        kinds: ['cpu', 'memory', 'container_memory', 'temperature'],
        weigh: use,
        about: 'Use',
      });
    const found = resolveResource(context.resources, asked.resource);
    if (!found.ok) return found.failure;
    const { metric } = asked;
    if (metric === undefined) return overview(context, found.resource, asked);
    const names = context.past.metricsOf(found.resource.id);
    const known = names.find((name) => name === metric) ?? names.find((name) => shownText(name, 300) === metric);
    return known === undefined
      ? overview(context, found.resource, asked)
      : course(context, found.resource, known, asked);
  },
});
