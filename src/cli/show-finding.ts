/** One finding in full, for people. */
import type { FindingDetails } from '../../findings/store.ts';
import { formatValue } from '../../signals/format.ts';
import { originText } from '../patrol/write-report.ts';
import { severityText } from './show-findings.ts';
import { table, wrap } from './table.ts';
import { styled, type Terminal } from './terminal.ts';
import { formatAgo, formatInstant } from './times.ts';

/** History rows that are shown; `--json` has more. */
const MAX_ROWS_SHOWN = 30;

/** Characters of a reading that are shown; `--json` has it whole. */
const MAX_BODY_SHOWN = 200;

const facts = (
  terminal: Terminal,
  { finding }: FindingDetails,
  nowMs: number,
): readonly (readonly [string, string])[] => {
  const at = (ms: number): string => `${formatInstant(ms, terminal.timeZone)} (${formatAgo(ms, nowMs)})`;
  const { level, disposition, stale, resolution } = finding;
  const limit = level?.limit ?? null;
  const rows: (readonly [string, string])[] = [
    ['id', finding.id],
    ['resource', finding.resourceId],
    ['key', finding.key],
    ['filed by', finding.filedBy],
    ['state', finding.state + (disposition.kind === 'none' ? '' : `, ${disposition.kind}`)],
    ['since', at(finding.sinceMs)],
    ['last seen', at(finding.lastSeenAtMs)],
    ['episode', `${finding.episode}${finding.regressions > 0 ? `, came back ${finding.regressions} times` : ''}`],
  ];
  if (level !== null) rows.push(['value', formatValue(level.value, level.unit)]);
  if (level !== null && limit !== null)
    rows.push(['limit', `${formatValue(limit.trigger, level.unit)}, from ${originText(limit.origin)}`]);
  if (finding.clearsWhen !== null) rows.push(['clears when', finding.clearsWhen]);
  if (stale !== null) rows.push(['not seen now', stale.reason]);
  if (finding.foldedUnder !== null) rows.push(['follows from', finding.foldedUnder]);
  if (resolution !== null)
    rows.push([
      'resolved',
      `${resolution.by}${resolution.reason === null ? '' : `: ${resolution.reason}`}, ${at(resolution.atMs)}`,
    ]);
  return rows;
};

const history = (terminal: Terminal, { history: rows }: FindingDetails): string => {
  const shown = rows
    .slice(-MAX_ROWS_SHOWN)
    .map(({ atMs, kind, actor, reason }) => [
      formatInstant(atMs, terminal.timeZone),
      kind,
      actor.name ?? actor.kind,
      reason ?? '',
    ]);
  return table(
    [{ title: 'WHEN' }, { title: 'WHAT' }, { title: 'WHO' }, { title: 'WHY', flexible: true }],
    shown,
    terminal.columns,
  );
};

const evidence = (terminal: Terminal, { evidence: cited }: FindingDetails): string => {
  const rows = cited
    .slice(-5)
    .map(({ readingId, kind, sourceId, takenAtMs, body }) => [
      readingId,
      kind,
      sourceId,
      formatInstant(takenAtMs, terminal.timeZone),
      (body ?? '').slice(0, MAX_BODY_SHOWN),
    ]);
  const columns = [
    { title: 'EVIDENCE' },
    { title: 'KIND' },
    { title: 'SOURCE' },
    { title: 'TAKEN' },
    { title: 'READING', flexible: true },
  ];
  return rows.length === 0 ? '' : `\n${table(columns, rows, terminal.columns)}`;
};

export const showFinding = (terminal: Terminal, detail: FindingDetails, nowMs: number): string => {
  const { finding } = detail;
  const head = `${severityText(terminal, finding.severity)}  ${styled(terminal, 'bold', finding.title)}\n${wrap(finding.summary, terminal.columns).join('\n')}\n`;
  const rows = facts(terminal, detail, nowMs).map(([name, value]) => `  ${name.padEnd(13)}${value}\n`);
  return `${head}\n${rows.join('')}${evidence(terminal, detail)}\n${history(terminal, detail)}`;
};
