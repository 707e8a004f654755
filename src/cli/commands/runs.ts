/** `patrold runs`: what was run, and how it went. */
import type { Command } from 'commander';
import type { KeptEntry } from '../../agent/transcript-store.ts';
import type { RunReport } from '../../patrol/report.ts';
import { PatroldError } from '../../runtime/errors.ts';
import type { App } from '../app.ts';
import type { AddCommand } from '../command.ts';
import { EXIT, type ExitCode } from '../exit-code.ts';
import { printJson } from '../json.ts';
import { positiveInteger } from '../options.ts';
import { shortId } from '../show-findings.ts';
import { showRun } from '../show-run.ts';
import { table } from '../table.ts';
import { formatInstant } from '../times.ts';

interface ListFlags {
  readonly limit: number;
  readonly json: boolean;
}

const list = ({ terminal, stores }: App, { limit, json }: ListFlags): ExitCode => {
  const { runs } = stores();
  const found = runs.list({ limit });
  const quiet = runs.quietWatches();
  if (json) {
    printJson(terminal, { runs: found, quietWatches: quiet });
    return EXIT.fine;
  }
  const rows = found.map(({ id, kind, trigger, state, status, startedAtMs, durationMs }) => [
    shortId(id),
    formatInstant(startedAtMs, terminal.timeZone),
    kind,
    trigger,
    state === 'completed' ? (status ?? '') : state,
    durationMs === null ? '' : `${(durationMs / 1000).toFixed(1)} s`,
  ]);
  const columns = ['ID', 'STARTED', 'KIND', 'TRIGGER', 'OUTCOME', 'TOOK'].map((title) => ({ title }));
  terminal.out(rows.length === 0 ? 'no runs yet; `patrold run` makes one\n' : table(columns, rows, terminal.columns));
  const [today] = quiet;
  if (today !== undefined)
    terminal.out(
      `\n${today.count} ${today.count === 1 ? 'watch' : 'watches'} on ${today.day} (UTC) changed nothing, the last at ${formatInstant(today.lastAtMs, terminal.timeZone)}\n`,
    );
  return EXIT.fine;
};

/** A whole id, or the end of one that only one run has. */
const find = (app: App, typed: string): string => {
  const { runs } = app.stores();
  if (runs.get(typed) !== null) return typed;
  const alike = runs.list({ limit: 10_000 }).filter(({ id }) => id.endsWith(typed) || id.startsWith(typed));
  const [only] = alike;
  if (only === undefined || alike.length > 1)
    throw new PatroldError(
      'run_not_found',
      alike.length > 1 ? `${alike.length} runs match "${typed}"` : `there is no run "${typed}"`,
    );
  return only.id;
};

const textOf = (entry: KeptEntry['entry']): string => {
  switch (entry.kind) {
    case 'system':
    case 'user':
      return `[${entry.kind}] ${entry.text}`;
    case 'assistant': {
      const calls = entry.calls.map(({ name, arguments: given }) => `\n  calls ${name} ${JSON.stringify(given)}`);
      return `[model] ${entry.text}${calls.join('')}`;
    }
    case 'tools':
      return entry.results
        .map(({ name, error, text }) => `[${name}${error === null ? '' : `, ${error}`}] ${text}`)
        .join('\n');
    case 'end':
      return `[end] ${entry.reason}${entry.message === null ? '' : `: ${entry.message}`}`;
    case 'full':
      return '[end] what followed was too much to keep';
  }
};

const transcript = (app: App, id: string, json: boolean): ExitCode => {
  const { terminal, stores } = app;
  const kept = stores().transcripts.of(id);
  if (json) printJson(terminal, { transcript: kept });
  else if (kept.length === 0) terminal.out('no model took part in this run, or what it said is not kept any more\n');
  for (const { loop, entry } of json ? [] : kept) terminal.out(`--- ${loop}\n${textOf(entry)}\n`);
  return EXIT.fine;
};

const show = (app: App, typed: string, json: boolean): ExitCode => {
  const { terminal, clock } = app;
  const { runs } = app.stores();
  const id = find(app, typed);
  const run = runs.get(id);
  const text = runs.report(id);
  if (json) {
    printJson(terminal, text === null ? { run } : (JSON.parse(text) as RunReport));
    return EXIT.fine;
  }
  if (run === null) return EXIT.failed;
  terminal.out(
    `${run.kind} ${run.id}, ${formatInstant(run.startedAtMs, terminal.timeZone)}, by ${run.trigger}: ${run.state}${run.reason === null ? '' : ` (${run.reason})`}\n\n`,
  );
  const rows = run.stages.map(({ name, status, durationMs, reason }) => [
    name,
    status,
    `${durationMs.toFixed(0)} ms`,
    reason ?? '',
  ]);
  terminal.out(
    table(
      [{ title: 'STAGE' }, { title: 'STATUS' }, { title: 'TOOK', align: 'right' }, { title: 'NOTE', flexible: true }],
      rows,
      terminal.columns,
    ),
  );
  if (text !== null) terminal.out(`\n${showRun(terminal, JSON.parse(text) as RunReport, clock.nowMs())}`);
  return EXIT.fine;
};

const cancel = (app: App, typed: string): ExitCode => {
  const { runs } = app.stores();
  const current = typed === 'current' ? (runs.current()?.id ?? null) : find(app, typed);
  if (current === null || !runs.requestCancel(current, app.clock.nowMs()))
    throw new PatroldError('run_not_found', 'no such run is under way');
  app.terminal.out(`asked run ${shortId(current)} to stop\n`);
  return EXIT.fine;
};

export const addRuns: AddCommand = (program, act) => {
  const runs = program.command('runs').summary('list runs, show one, cancel one');
  runs
    .command('list', { isDefault: true })
    .description('Runs, newest first. Watches that changed nothing are counted, not listed.')
    .option('-n, --limit <count>', 'how many', positiveInteger, 20)
    .option('--json', 'one document on stdout', false)
    .action((flags: ListFlags, command: Command) => act(command, (app) => list(app, flags)));
  runs
    .command('show <run>')
    .description('One run: its stages, findings and gaps. <run> is an id, or the end of one.')
    .option('--json', 'one document on stdout', false)
    .action((id: string, { json }: { readonly json: boolean }, command: Command) =>
      act(command, (app) => show(app, id, json)),
    );
  runs
    .command('transcript <run>')
    .description('What was said between patrold and the model in a run.')
    .option('--json', 'one document on stdout', false)
    .action((id: string, { json }: { readonly json: boolean }, command: Command) =>
      act(command, (app) => transcript(app, find(app, id), json)),
    );
  runs
    .command('cancel [run]')
    .description('Asks the run under way to stop; what it has filed stays.')
    .action((id: string | undefined, _flags: unknown, command: Command) =>
      act(command, (app) => cancel(app, id ?? 'current')),
    );
};
