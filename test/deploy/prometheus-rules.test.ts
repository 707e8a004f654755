/** The alerts that ship, as Prometheus' own promtool evaluates them, over metrics that there are. */
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { parse, stringify } from 'yaml';
import { works } from '../support/real-program.ts';
import { temporaryDirectory } from '../support/temporary-directory.ts';

const CHECKOUT = join(import.meta.dirname, '..', '..');
const RULES = join(CHECKOUT, 'deploy', 'prometheus-rules.yml');
const skip = works('promtool', '--version') ? null : 'promtool is not installed';
const title = (text: string): string => (skip === null ? text : `${text} (skipped: ${skip})`);

/** Series, the minutes after which is looked, and the alerts that are expected then. */
const CASES: readonly (readonly [string, Readonly<Record<string, string>>, number, readonly string[]])[] = [
  [
    'all is well',
    {
      'up{job="patrold"}': '1x2000',
      'patrold_findings{severity="critical",state="active",disposition="none"}': '0x2000',
    },
    60,
    [],
  ],
  ['the daemon is gone', { 'up{job="patrold"}': '0x2000' }, 11, ['PatroldDown']],
  ['it was away for a moment', { 'up{job="patrold"}': '1 0x5 1x100' }, 11, []],
  ['a patrol is overdue', { 'patrold_next_run_timestamp_seconds{kind="patrol"}': '600x2000' }, 40, ['PatroldOverdue']],
  ['a patrol is due soon', { 'patrold_next_run_timestamp_seconds{kind="patrol"}': '6000x2000' }, 40, []],
  [
    'a critical finding waits',
    { 'patrold_findings{severity="critical",state="active",disposition="none"}': '1x2000' },
    1,
    ['PatroldCriticalFinding'],
  ],
  [
    'somebody has decided about it',
    { 'patrold_findings{severity="critical",state="active",disposition="acknowledged"}': '1x2000' },
    60,
    [],
  ],
  ['it is over', { 'patrold_findings{severity="critical",state="resolved",disposition="none"}': '3x2000' }, 60, []],
  [
    'a warning waits',
    { 'patrold_findings{severity="warning",state="active",disposition="none"}': '2x2000' },
    20,
    ['PatroldFinding'],
  ],
  [
    'a source is not read',
    {
      'patrold_source_survey_outcome{source="a",outcome="failed"}': '1x2000',
      'patrold_source_survey_outcome{source="b",outcome="failed"}': '0x2000',
    },
    31,
    ['PatroldSourceFailed'],
  ],
  [
    'checks are not made',
    { 'patrold_checks{state="unobserved"}': '2x2000', 'patrold_checks{state="accepted"}': '9x2000' },
    1_450,
    ['PatroldUnseen'],
  ],
  ['a detector throws', { 'patrold_detector_failures_total{detector="x"}': '0x5 1x2000' }, 60, ['PatroldDefect']],
];

const rules = (
  parse(readFileSync(RULES, 'utf8')) as { groups: { rules: { alert: string; expr: string }[] }[] }
).groups.flatMap(({ rules }) => rules);

test.skipIf(skip !== null).each(CASES)(title('%s'), (_, series, minutes, expected) => {
  const path = join(temporaryDirectory(), 'test.yml');
  const cases = stringify({
    rule_files: [RULES],
    evaluation_interval: '1m',
    tests: [
      {
        interval: '1m',
        input_series: Object.entries(series).map(([name, values]) => ({ series: name, values })),
        // That it fires or does not, whatever it says.
        promql_expr_test: rules.map(({ alert }) => ({
          expr: `count(ALERTS{alertname="${alert}", alertstate="firing"})`,
          eval_time: `${minutes}m`,
          exp_samples: expected.includes(alert) ? [{ labels: '{}', value: 1 }] : [],
        })),
      },
    ],
  });
  writeFileSync(path, cases);
  expect(execFileSync('promtool', ['test', 'rules', path], { encoding: 'utf8', stdio: 'pipe' })).toContain('SUCCESS');
});

test('they use metrics that patrold has', () => {
  const page = readFileSync(join(CHECKOUT, 'docs/metrics.md'), 'utf8');
  const used = new Set(rules.flatMap(({ expr }) => expr.match(/patrold_[a-z_]+/g) ?? []));
  expect([...used].filter((name) => !page.includes(`\`${name}\``))).toEqual([]);
});
