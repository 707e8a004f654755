/** systemd units that are not well, through node_exporter or systemd_exporter. */
import { proof } from '../../../../signals/claim.ts';
import { metrics } from '../../../../signals/history.ts';
import type { UnitReading } from '../../../../signals/reading.ts';
import { cleanText } from '../../../runtime/text.ts';
import type { Labels, SeriesAnswer } from '../answer.ts';
import { type Answers, label, lastValue } from '../answers.ts';
import { defineArea } from '../area.ts';
import { listChildren } from '../list-children.ts';
import type { QueryContext } from '../named-query.ts';
import { pastSeries } from '../past-series.ts';
import { prometheusLimits } from '../prometheus-limits.ts';
import { anyOf, literalPattern, quote, whoseLast } from '../promql.ts';
import { rememberedUnits, rememberUnits } from '../remembered-units.ts';
import { addReading, type SurveyWorld, toOurs } from '../survey-world.ts';
import { heldSinceMs } from '../trailing-run.ts';

const STATES = ['node_systemd_unit_state', 'systemd_unit_state'];
const RESTARTS = ['node_systemd_service_restart_total', 'systemd_service_restart_total'];
const NOT_WELL = 'state=~"failed|activating|deactivating|reloading|maintenance"';
const PAST = { spanMs: 3_600_000, stepMs: 60_000 };
/** Of a regular expression in a URL that servers and proxies still take. */
const PATTERN_LENGTH = 4_000;

const ACTIVE_STATES = [
  'active',
  'reloading',
  'inactive',
  'failed',
  'activating',
  'deactivating',
  'maintenance',
] as const;
const isActiveState = (text: string): text is UnitReading['activeState'] =>
  ACTIVE_STATES.some((state) => state === text);

/** Names of units that are looked at though they may be well: bad lately, or restarting. */
const watchedNames = ({ unitNames }: QueryContext, first: Answers): readonly string[] => {
  const restarting = first.series('units_restarts').map(({ labels }) => label(labels, 'name'));
  return [...new Set([...restarting, ...unitNames])];
};

const namePattern = (names: readonly string[]): string => {
  let pattern = '';
  for (const name of names) {
    const next = pattern === '' ? literalPattern(name) : `${pattern}|${literalPattern(name)}`;
    if (next.length > PATTERN_LENGTH) break;
    pattern = next;
  }
  return pattern;
};

export const unitsArea = defineArea({
  name: 'units',
  queries: [
    {
      name: 'units_bad',
      needs: [],
      oneOf: STATES,
      reads: ['unit'],
      promql: ({ select }) => `${anyOf(select, STATES, NOT_WELL)} == 1`,
    },
    {
      name: 'units_restarts',
      needs: [],
      oneOf: RESTARTS,
      reads: ['unit'],
      range: PAST,
      promql: ({ select }) => {
        const restarts = anyOf(select, RESTARTS);
        return `${restarts} and (increase(${restarts}[1h] @ end()) > 0)`;
      },
    },
    {
      name: 'units_failed_past',
      needs: [],
      oneOf: STATES,
      reads: ['unit'],
      range: PAST,
      enriches: true,
      promql: ({ select }) => whoseLast(anyOf(select, STATES, 'state="failed"'), '== 1'),
      when: (first) => first.series('units_bad').some(({ labels }) => label(labels, 'state') === 'failed'),
    },
    {
      name: 'units_watched',
      needs: [],
      oneOf: STATES,
      reads: ['unit'],
      promql: (context, first) =>
        `${anyOf(context.select, STATES, `name=~${quote(namePattern(watchedNames(context, first)))}`)} == 1`,
      when: (first, context) => watchedNames(context, first).length > 0,
    },
  ],
  map: (world) => {
    const { answers, atMs, state, out } = world;
    const watched = new Set(rememberedUnits(state, atMs).map(({ ref }) => ref));
    const restarts = byRef(world, answers.series('units_restarts'));
    const failedSince = new Map(
      [...byRef(world, answers.series('units_failed_past'))].map(([ref, { points }]) => [
        ref,
        heldSinceMs(points, PAST.stepMs),
      ]),
    );
    const bad = new Map<string, string>();
    const done = new Set<string>();
    const all = [
      ...answers.series('units_bad'),
      ...answers.series('units_watched').filter(({ labels }) => {
        const ref = refOf(world, labels);
        return ref !== null && (watched.has(ref) || restarts.has(ref));
      }),
    ];
    for (const { labels } of all) {
      const ref = refOf(world, labels);
      if (ref === null || done.has(ref)) continue;
      if (done.size >= prometheusLimits.units) {
        out.gap({
          ref: null,
          reads: ['unit'],
          code: 'cut_short',
          reason: `more than ${prometheusLimits.units} units are not well: not all are looked at`,
        });
        break;
      }
      done.add(ref);
      if (label(labels, 'state') !== 'active' || restarts.has(ref)) bad.set(ref, label(labels, 'name'));
      mapUnit(world, ref, labels, failedSince.get(ref) ?? null, restarts.get(ref));
    }
    rememberUnits(state, bad, atMs);
    listChildren(world, {
      kind: 'service',
      queries: ['units_bad', 'units_restarts', 'units_watched'],
      collectors: ['systemd'],
    });
  },
});

const hostOf = ({ hosts }: SurveyWorld, labels: Labels) => {
  // node_exporter's restart counter and state both begin so; the other exporter's have no such prefix.
  return label(labels, '__name__').startsWith('node_') ? hosts.ofNode(labels) : hosts.of(labels);
};

const refOf = (world: SurveyWorld, labels: Labels): string | null => {
  const host = hostOf(world, labels);
  const name = label(labels, 'name');
  return host === null || name === '' ? null : `unit:${host.ref}/${cleanText(name, 256)}`;
};

const byRef = (world: SurveyWorld, series: readonly SeriesAnswer[]): ReadonlyMap<string, SeriesAnswer> =>
  new Map(
    series.flatMap((one) => {
      const ref = refOf(world, one.labels);
      return ref === null ? [] : [[ref, one] as const];
    }),
  );

const mapUnit = (
  world: SurveyWorld,
  ref: string,
  labels: Labels,
  failedSinceMs: number | null,
  restarts: SeriesAnswer | undefined,
): void => {
  const { out } = world;
  const host = hostOf(world, labels);
  const name = cleanText(label(labels, 'name'), 256);
  const activeState = label(labels, 'state');
  if (host === null || !isActiveState(activeState)) return;
  out.claim({
    ref,
    kind: 'service',
    name,
    parentRef: host.ref,
    keys: [proof(`unit:${name}`, 'parent')],
    slug: name,
    status: activeState === 'failed' ? 'failed' : activeState === 'active' ? 'running' : 'starting',
    expects: ['unit'],
    facts: { unitType: cleanText(label(labels, 'type') || (name.split('.').at(-1) ?? ''), 32) },
  });
  addReading(world, ref, labels, {
    kind: 'unit',
    activeState,
    // Neither exporter tells it.
    subState: activeState,
    result: null,
    stateSinceMs: activeState === 'failed' && failedSinceMs !== null ? toOurs(world, failedSinceMs) : null,
    restartCount: restarts === undefined ? null : lastValue(restarts),
  });
  if (restarts !== undefined) out.series(pastSeries(world, ref, metrics.unitRestarts, restarts.points));
};
