/** A run's report for people: findings, what is fine, what could not be seen and why. */

import { formatDuration } from '../../signals/format.ts';
import type { RunReport } from '../patrol/report.ts';
import { showFindings } from './show-findings.ts';
import { table, wrap } from './table.ts';
import { type Style, styled, type Terminal } from './terminal.ts';

/** Reasons that are listed on a terminal; the rest is counted, and `--json` has all. */
const MAX_GAPS_SHOWN = 20;

const STATUS_STYLE: Readonly<Record<string, Style>> = {
  healthy: 'green',
  incomplete: 'cyan',
  issues_found: 'yellow',
  critical: ['red', 'bold'],
  error: ['red', 'bold'],
};

interface Gap {
  readonly reason: string;
  readonly checks: number;
  readonly detectors: readonly string[];
  readonly resources: number;
}

/** Many checks are unobserved for one reason: that reason is what people can act on. */
const gapsByReason = (unobserved: RunReport['verdicts']['unobserved']): readonly Gap[] =>
  [...Map.groupBy(unobserved, ({ reason }) => reason)]
    .map(([reason, checks]) => ({
      reason,
      checks: checks.length,
      detectors: [...new Set(checks.map(({ detector }) => detector))].toSorted(),
      resources: new Set(checks.map(({ resourceId }) => resourceId)).size,
    }))
    .toSorted((a, b) => b.checks - a.checks);

const showGaps = (terminal: Terminal, { verdicts: { unobserved } }: RunReport): string => {
  const gaps = gapsByReason(unobserved);
  if (gaps.length === 0) return '';
  const rows = gaps
    .slice(0, MAX_GAPS_SHOWN)
    .map(({ reason, resources, detectors }) => [
      String(resources),
      detectors.length > 3 ? `${detectors.slice(0, 3).join(', ')}, …` : detectors.join(', '),
      reason,
    ]);
  const more =
    gaps.length > MAX_GAPS_SHOWN ? `… and ${gaps.length - MAX_GAPS_SHOWN} more reasons; --json lists all\n` : '';
  const columns = [
    { title: 'RESOURCES', align: 'right' as const },
    { title: 'CHECKS', flexible: true },
    { title: 'NOT SEEN BECAUSE', flexible: true },
  ];
  return `\n${table(columns, rows, terminal.columns)}${more}`;
};

const showSources = (terminal: Terminal, { run: { coverage } }: RunReport): string =>
  (coverage?.sources ?? [])
    .filter(({ outcome }) => outcome !== 'ok')
    .map(({ sourceId, outcome, reason }) => {
      const text = `source ${sourceId}: ${outcome}${reason === null ? '' : `: ${reason}`}`;
      return `${styled(terminal, outcome === 'failed' ? 'red' : 'yellow', wrap(text, terminal.columns).join('\n'))}\n`;
    })
    .join('');

const plural = (count: number, one: string, many = `${one}s`): string => `${count} ${count === 1 ? one : many}`;

const summary = (terminal: Terminal, { run, findings }: RunReport): string => {
  const { coverage, status, durationMs } = run;
  const word = styled(terminal, STATUS_STYLE[status ?? 'error'] ?? 'bold', (status ?? run.state).replace('_', ' '));
  const took =
    durationMs === null
      ? ''
      : ` in ${durationMs < 10_000 ? `${(durationMs / 1000).toFixed(1)} s` : formatDuration(durationMs)}`;
  const active = findings.filter(({ state }) => state === 'active').length;
  const seen =
    coverage === null
      ? []
      : [
          plural(coverage.resources, 'resource'),
          `${plural(coverage.clear, 'check')} clear`,
          coverage.unobserved > 0 ? `${coverage.unobserved} not seen` : '',
          coverage.warmingUp > 0 ? `${coverage.warmingUp} warming up` : '',
          coverage.accepted > 0 ? `${coverage.accepted} accepted gaps` : '',
        ];
  const parts = [plural(active, 'finding'), ...seen].filter((part) => part !== '');
  return `${word}: ${parts.join(', ')}${took}\n`;
};

export const showRun = (terminal: Terminal, report: RunReport, nowMs: number): string => {
  const active = report.findings.filter(({ state }) => state === 'active');
  const over = report.findings.filter(({ state }) => state === 'resolved');
  const resolved = over.length === 0 ? '' : `\nresolved by this run:\n${showFindings(terminal, over, nowMs)}`;
  const reason = report.run.reason === null ? '' : `${styled(terminal, 'red', report.run.reason)}\n`;
  const blank = active.length === 0 ? '' : '\n';
  return `${showFindings(terminal, active, nowMs)}${resolved}${showGaps(terminal, report)}${blank}${showSources(terminal, report)}${reason}${summary(terminal, report)}`;
};
