/** docs/config.md: every setting, from the schema that the config is checked with. */
import type { z } from 'zod';
import { detectors } from '../../signals/detectors/index.ts';
import type { LimitSpec } from '../../signals/limits.ts';
import { limitCatalogue } from '../../src/config/alerts.ts';
import { OVERRIDABLE } from '../../src/config/overrides.ts';
import { createConfigSchema } from '../../src/config/schema.ts';
import { backupsSource } from '../../src/sources/backups/backups-source.ts';
import { checksSource } from '../../src/sources/checks/checks-source.ts';
import { sourceDefinitions } from '../../src/sources/index.ts';
import { code, page, sentence, table } from './markdown.ts';
import { elementOf, optionsOf, type Setting, settingsOf, shapeOf, unwrap, writtenDuration } from './zod-fields.ts';

const INTRODUCTION = `patrold reads one YAML file. It is the first of these that is there: what \`--config\` or \`PATROLD_CONFIG\` names (then it has
to be there), \`./patrold.yaml\`, \`~/.config/patrold/patrold.yaml\`, \`/etc/patrold/patrold.yaml\`. Without any, and with an
empty one, every default holds, and this machine is watched.

\`patrold init\` writes a commented file for what it finds, \`patrold check-config\` lists every problem at once with its line,
\`patrold thresholds\` shows each limit in force and where it comes from. A running daemon reads the file again on SIGHUP
(\`systemctl reload patrold\`); a file with a problem changes nothing.

- A duration is written \`90s\`, \`5m\`, \`24h\` or \`7d\`.
- \`\${NAME}\` in any text stands for an environment variable, \`\${NAME:-default}\` for one that may be missing, \`$$\` for
  a dollar sign.
- Paths of settings whose name ends in \`File\` are taken from the directory of the config.
- A key that is not known is a problem, not a comment.`;

const row = ({ path, may, byDefault, required, about }: Setting): readonly string[] => [
  code(path),
  may,
  required ? 'required' : (byDefault ?? ''),
  sentence(about),
];

const settingsTable = (settings: readonly Setting[]): string =>
  table(['setting', 'may be', 'default', 'meaning'], settings.map(row));

const typeOf = (option: z.core.$ZodType): string => {
  const type = shapeOf(option)?.['type'];
  const values = type === undefined ? [] : ((type._zod.def as unknown as { readonly values?: unknown[] }).values ?? []);
  return String(values[0]);
};

/** What every entry has, at the top. */
const commonFirst = (settings: readonly Setting[]): readonly Setting[] => {
  const rank = ({ path }: Setting): number => ['id', 'name', 'surveyTimeout'].indexOf(path) >>> 0;
  return settings.filter(({ path }) => path !== 'type').toSorted((a, b) => rank(a) - rank(b));
};

/** A list whose entries are of several types, each with settings of its own. */
const byType = (section: string, schema: z.core.$ZodType): readonly string[] => {
  const element = elementOf(schema);
  return element === null
    ? []
    : optionsOf(element).flatMap((option) => [
        `### ${section} of type ${typeOf(option)}`,
        settingsTable(commonFirst(settingsOf(shapeOf(option) ?? {}))),
      ]);
};

const ALERTS = `Limits, by the kind of resource and the metric. \`warning\` and \`critical\` are where a finding is raised, \`clear\` and
\`clearCritical\` where it is over again, \`for\` how long it must last. Each field that is not written keeps its default;
\`off\` in a metric's place silences it. What only knows \`for\` is a fault without a figure.

\`\`\`yaml
alerts:
  filesystem: { usage: { warning: 80, critical: 92, clear: 76 } }
  host: { cpu: { warning: 85, for: 30m }, temperature: off }
  overrides:
    - { match: { tag: media }, filesystem: { usage: { warning: 96 } } }
    - { match: { id: "nas/*" }, host: { memory: off } }
\`\`\`

\`overrides\` match by \`id\` (\`*\` stands for any text), \`tag\` and \`source\`; all that are given must hold. An id wins over a
tag, a tag over a source, among equals the later entry.`;

/** Of one limit: every kind that it can be written for; \`guest\` stands for virtual machines and containers. */
const kindsOf = (): ReadonlyMap<LimitSpec, readonly string[]> => {
  const kinds = new Map<LimitSpec, readonly string[]>();
  for (const [kind, metrics] of limitCatalogue(detectors)) {
    for (const spec of metrics.values()) kinds.set(spec, [...(kinds.get(spec) ?? []), kind]);
  }
  return kinds;
};

const alertRows = (): readonly (readonly string[])[] =>
  [...kindsOf()]
    .toSorted(([a], [b]) => (a.metric < b.metric ? -1 : 1))
    .map(([{ metric, unit, direction, warning, critical, forMs, clearBy }, kinds]) => {
      const state = direction === 'state';
      const figure = (value: number | null): string => (state || value === null ? '' : `${value}`);
      return [
        code(metric),
        kinds.join(', '),
        state ? 'fault' : `${unit}, ${direction}`,
        figure(warning),
        figure(critical),
        state || clearBy === 0 ? '' : `${clearBy}`,
        forMs === 0 ? '' : writtenDuration(forMs),
      ];
    });

const environment = (): string =>
  table(
    ['variable', 'setting'],
    [['PATROLD_CONFIG', 'the file itself'], ...Object.entries(OVERRIDABLE)].map(([name, path]) => [
      code(name ?? ''),
      path === 'the file itself' ? path : code(path ?? ''),
    ]),
  );

export const configPage = (): string => {
  const schema = createConfigSchema({
    sources: sourceDefinitions,
    checks: checksSource.configSchema,
    backups: backupsSource.configSchema,
    detectors,
  });
  const { sources, checks, backups, alerts: _alerts, ...rest } = schema.shape;
  const flat = settingsOf(rest);
  return page(
    'Config',
    'the schema in src/config/ and those of the sources',
    INTRODUCTION,
    '## Everything but sources and limits',
    settingsTable(flat),
    '## Sources',
    `${code('sources')}: ${sentence(unwrap(sources).about)}`,
    ...byType('sources', sources),
    '## Checks',
    `${code('checks')}: ${sentence(unwrap(checks).about)} Each needs one of ${['http', 'tcp', 'icmp'].map(code).join(', ')}.`,
    settingsTable(settingsOf(shapeOf(elementOf(checks) ?? checks) ?? {})),
    '## Backups',
    `${code('backups')}: ${sentence(unwrap(backups).about)}`,
    ...byType('backups', backups),
    '## Limits',
    ALERTS,
    'The limits, with what patrold ships. Why each number is what it is: docs/detectors.md.',
    table(['metric', 'kinds', 'unit, bad when', 'warning', 'critical', 'clears by', 'for'], alertRows()),
    '## From the environment and from flags',
    'These lie over the file; `--config`, `--data`, `--listen` and `--log-level` lie over them.',
    environment(),
  );
};
