/** `patrold findings`: what is wrong, and what an operator decides about it. */
import type { Command } from 'commander';
import { counts } from '../../../findings/counts.ts';
import { DISPOSITIONS, type DispositionKind } from '../../../findings/finding.ts';
import { CATEGORIES, type Category, SEVERITIES, type Severity } from '../../../signals/detector.ts';
import { asResourceId } from '../../../signals/resource.ts';
import { reportFinding } from '../../patrol/write-report.ts';
import type { App } from '../app.ts';
import type { AddCommand } from '../command.ts';
import { EXIT, type ExitCode } from '../exit-code.ts';
import { printJson } from '../json.ts';
import { oneOf, positiveInteger } from '../options.ts';
import { showFinding } from '../show-finding.ts';
import { showFindings } from '../show-findings.ts';
import { addSuppressions } from './finding-suppressions.ts';
import { addVerbs } from './finding-verbs.ts';

interface ListFlags {
  readonly all: boolean;
  readonly resolved: boolean;
  readonly severity?: Severity;
  readonly category?: Category;
  readonly resource?: string;
  readonly source?: string;
  readonly key?: string;
  readonly disposition?: DispositionKind;
  readonly search?: string;
  readonly limit: number;
  readonly cursor?: string;
  readonly json: boolean;
}

const list = (app: App, flags: ListFlags): ExitCode => {
  const { terminal, clock } = app;
  const { findings, inventory } = app.stores();
  const page = findings.list({
    state: flags.all ? 'all' : flags.resolved ? 'resolved' : 'active',
    limit: flags.limit,
    ...(flags.severity === undefined ? {} : { severities: [flags.severity] }),
    ...(flags.category === undefined ? {} : { category: flags.category }),
    ...(flags.resource === undefined ? {} : { resourceId: asResourceId(flags.resource) }),
    ...(flags.source === undefined ? {} : { sourceId: flags.source }),
    ...(flags.key === undefined ? {} : { key: flags.key }),
    ...(flags.disposition === undefined ? {} : { disposition: flags.disposition }),
    ...(flags.search === undefined ? {} : { text: flags.search }),
    ...(flags.cursor === undefined ? {} : { cursor: flags.cursor }),
  });
  if (flags.json) {
    printJson(terminal, page);
    return EXIT.fine;
  }
  const { resources } = inventory.load();
  const nowMs = clock.nowMs();
  const states = findings.operatorStates.all();
  const shown = page.findings.map((finding) =>
    reportFinding(
      finding,
      resources.get(finding.resourceId)?.name ?? finding.resourceId,
      counts(finding, states.get(finding.resourceId) ?? null, nowMs),
    ),
  );
  terminal.out(shown.length === 0 ? 'no findings\n' : showFindings(terminal, shown, nowMs));
  if (page.nextCursor !== null) terminal.err(`${page.total} in all; go on with --cursor ${page.nextCursor}\n`);
  return EXIT.fine;
};

const show = (app: App, id: string, json: boolean): ExitCode => {
  const { terminal, clock } = app;
  const detail = app.stores().findings.details(id);
  if (json) printJson(terminal, detail);
  else terminal.out(showFinding(terminal, detail, clock.nowMs()));
  return EXIT.fine;
};

export const addFindings: AddCommand = (program, act) => {
  const findings = program.command('findings').summary('list findings, show one, decide about them');
  findings
    .command('list', { isDefault: true })
    .description('Findings, worst first; active ones unless told otherwise.')
    .option('--all', 'resolved ones too', false)
    .option('--resolved', 'resolved ones only', false)
    .option('--severity <severity>', 'only this severity', oneOf(SEVERITIES))
    .option('--category <category>', 'only this category', oneOf(CATEGORIES))
    .option('--resource <id>', 'only on this resource')
    .option('--source <id>', 'only what this source shows')
    .option('--key <key>', 'a whole key, or the type of a detector')
    .option('--disposition <disposition>', 'only these', oneOf(DISPOSITIONS))
    .option('--search <text>', 'in title, summary, resource or key')
    .option('-n, --limit <count>', 'how many', positiveInteger, 50)
    .option('--cursor <cursor>', 'go on where the page before ended')
    .option('--json', 'one document on stdout', false)
    .action((flags: ListFlags, command: Command) => act(command, (app) => list(app, flags)));
  findings
    .command('show <finding>')
    .description('One finding: evidence, episodes, history.')
    .option('--json', 'one document on stdout', false)
    .action((id: string, { json }: { readonly json: boolean }, command: Command) =>
      act(command, (app) => show(app, id, json)),
    );
  addVerbs(findings, act);
  addSuppressions(findings, act);
};
