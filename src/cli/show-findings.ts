/** Findings as a table for people: worst first, what to do about it below. */
import type { ReportedFinding } from '../patrol/report.ts';
import { table } from './table.ts';
import { type Style, styled, type Terminal } from './terminal.ts';
import { formatAgo } from './times.ts';

const SEVERITY_STYLE: Readonly<Record<ReportedFinding['severity'], Style>> = {
  critical: ['red', 'bold'],
  warning: 'yellow',
  watch: 'cyan',
  info: 'dim',
};

export const severityText = (terminal: Pick<Terminal, 'colours'>, severity: ReportedFinding['severity']): string =>
  styled(terminal, SEVERITY_STYLE[severity], severity);

/** The first characters of an id are its time and are alike; its end is what tells findings apart. */
export const shortId = (id: string): string => id.slice(-8);

const marks = ({ disposition, stale, counts, state }: ReportedFinding): string => {
  const notes = [
    state === 'resolved' ? 'resolved' : '',
    disposition === 'none' ? (counts || state === 'resolved' ? '' : 'quiet') : disposition,
    stale ? 'not seen now' : '',
  ];
  return notes
    .filter((note) => note !== '')
    .map((note) => ` [${note}]`)
    .join('');
};

export const showFindings = (terminal: Terminal, findings: readonly ReportedFinding[], nowMs: number): string =>
  table(
    [
      { title: 'SEVERITY' },
      { title: 'ID' },
      { title: 'RESOURCE', flexible: true },
      { title: 'FINDING', flexible: true },
      { title: 'SINCE', align: 'right' },
    ],
    findings.map((finding) => [
      severityText(terminal, finding.severity),
      shortId(finding.id),
      finding.resourceId,
      `${finding.title}: ${finding.summary}${marks(finding)}`,
      formatAgo(finding.firstSeenAtMs, nowMs),
    ]),
    terminal.columns,
  );
