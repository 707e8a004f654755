/** `patrold thresholds`: every limit in force, and where it came from. */
import type { Command } from 'commander';
import { formatDuration, formatValue } from '../../../signals/format.ts';
import type { Bound, EffectiveLimit, LimitOrigin } from '../../../signals/limits.ts';
import { asResourceId, type Resource } from '../../../signals/resource.ts';
import { originText } from '../../patrol/write-report.ts';
import { PatroldError } from '../../runtime/errors.ts';
import type { App } from '../app.ts';
import type { AddCommand } from '../command.ts';
import { EXIT, type ExitCode } from '../exit-code.ts';
import { printJson } from '../json.ts';
import { table } from '../table.ts';

interface Row {
  readonly kind: string;
  readonly metric: string;
  readonly detector: string;
  readonly unit: string;
  readonly limit: EffectiveLimit;
}

/** A resource of that kind which no override by id, tag or source reaches. */
const plain = (kind: Resource['kind']): Resource => ({
  id: asResourceId(''),
  kind,
  name: '',
  parentId: null,
  status: 'unknown',
  sourceIds: [],
  tags: [],
  expects: [],
  facts: {},
  presence: 'observed',
});

const rowsOf = (app: App, resource: Resource): readonly Row[] => {
  const { detectors, limits } = app.settings();
  return detectors
    .filter(({ kinds }) => kinds.includes(resource.kind))
    .flatMap(({ type, limits: specs }) =>
      Object.values(specs)
        .filter((spec) => spec.kinds.includes(resource.kind))
        .map((spec) => ({
          kind: resource.kind,
          metric: spec.metric,
          detector: type,
          unit: spec.unit,
          limit: limits.of(spec, resource),
        })),
    );
};

const boundText = (bound: Bound | null, row: Row): string =>
  bound === null ? '' : formatValue(bound.trigger, row.limit.spec.unit);

const origins = ({ limit }: Row): string => {
  if (limit.off !== null) return originText(limit.off);
  const named: readonly (readonly [string, LimitOrigin])[] = [
    ...(limit.warning === null ? [] : [['warning', limit.warning.origin] as const]),
    ...(limit.critical === null ? [] : [['critical', limit.critical.origin] as const]),
    ...(limit.forMs === 0 ? [] : [['for', limit.forOrigin] as const]),
  ];
  const texts = new Set(named.map(([, origin]) => originText(origin)));
  const [only] = texts;
  return texts.size <= 1
    ? (only ?? 'default')
    : named.map(([name, origin]) => `${name}: ${originText(origin)}`).join('; ');
};

const cells = (row: Row): readonly string[] => {
  const { limit } = row;
  const off = limit.off !== null;
  return [
    row.kind,
    row.metric,
    off ? 'off' : boundText(limit.warning, row),
    off ? '' : boundText(limit.critical, row),
    off || limit.forMs === 0 ? '' : formatDuration(limit.forMs),
    off || limit.warning === null ? '' : formatValue(limit.warning.clear, limit.spec.unit),
    origins(row),
    row.detector,
  ];
};

const toJson = ({ kind, metric, detector, unit, limit }: Row) => {
  const bound = (one: Bound | null) => (one === null ? null : { ...one, origin: originText(one.origin) });
  return {
    kind,
    metric,
    detector,
    unit,
    off: limit.off !== null,
    warning: bound(limit.warning),
    critical: bound(limit.critical),
    forMs: limit.forMs,
    forFrom: originText(limit.forOrigin),
  };
};

const thresholds = (app: App, id: string | undefined, json: boolean): ExitCode => {
  const { terminal } = app;
  let resources: readonly Resource[];
  if (id === undefined) {
    const kinds = new Set(app.settings().detectors.flatMap((detector) => detector.kinds));
    resources = [...kinds].toSorted().map(plain);
  } else {
    const kept = app.stores().inventory.load().resources.get(asResourceId(id));
    if (kept === undefined) throw new PatroldError('resource_not_found', `there is no resource "${id}"`);
    resources = [{ ...kept, presence: 'remembered' }];
  }
  const rows = resources.flatMap((resource) => rowsOf(app, resource));
  if (json) printJson(terminal, { resource: id ?? null, thresholds: rows.map(toJson) });
  else {
    const titles = ['KIND', 'METRIC', 'WARNING', 'CRITICAL', 'FOR', 'CLEARS AT', 'FROM', 'DETECTOR'];
    terminal.out(
      table(
        titles.map((title) => ({ title, flexible: title === 'FROM' })),
        rows.map(cells),
        terminal.columns,
      ),
    );
  }
  return EXIT.fine;
};

export const addThresholds: AddCommand = (program, act) => {
  program
    .command('thresholds [resource]')
    .summary('show each limit and where it came from')
    .description('Limits by resource kind, or those that hold for one resource, with the setting each comes from.')
    .option('--json', 'one document on stdout', false)
    .action((id: string | undefined, { json }: { readonly json: boolean }, command: Command) =>
      act(command, (app) => thresholds(app, id, json)),
    );
};
