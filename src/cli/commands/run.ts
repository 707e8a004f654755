/** `patrold run`: one patrol now, and what it found. */
import type { Command } from 'commander';
import { InvalidArgumentError, Option } from 'commander';
import { isWorse, SEVERITIES, type Severity } from '../../../signals/detector.ts';
import type { RunReport } from '../../patrol/report.ts';
import { parseScope } from '../../patrol/scope.ts';
import type { App } from '../app.ts';
import type { AddCommand } from '../command.ts';
import { EXIT, type ExitCode } from '../exit-code.ts';
import { printJson } from '../json.ts';
import { createProgress } from '../show-progress.ts';
import { showRun } from '../show-run.ts';
import { styled } from '../terminal.ts';

interface RunFlags {
  readonly watchOnly: boolean;
  readonly scope: readonly string[];
  readonly json: boolean;
  readonly failOn?: Severity;
  readonly failOnIncomplete: boolean;
  readonly quiet: boolean;
}

const collect = (value: string, before: readonly string[]): readonly string[] => [...before, value];

const severity = (value: string): Severity => {
  const found = SEVERITIES.find((candidate) => candidate === value);
  if (found === undefined) throw new InvalidArgumentError(`the severities are ${SEVERITIES.join(', ')}`);
  return found;
};

/** Findings that an operator acknowledged, snoozed, dismissed or muted don't count. */
const isMet = (report: RunReport, failOn: Severity): boolean =>
  report.findings.some(
    (finding) => finding.counts && (finding.severity === failOn || isWorse(finding.severity, failOn)),
  );

const isIncomplete = ({ run }: RunReport): boolean =>
  run.status === 'incomplete' ||
  (run.coverage !== null &&
    (run.coverage.unobserved > 0 || run.coverage.sources.some(({ outcome }) => outcome === 'failed')));

export const exitCodeOf = (report: RunReport, flags: Pick<RunFlags, 'failOn' | 'failOnIncomplete'>): ExitCode => {
  if (report.run.state !== 'completed' || report.run.status === 'error') return EXIT.failed;
  if (flags.failOn !== undefined && isMet(report, flags.failOn)) return EXIT.found;
  return flags.failOnIncomplete && isIncomplete(report) ? EXIT.incomplete : EXIT.fine;
};

const run = async (app: App, flags: RunFlags): Promise<ExitCode> => {
  const { terminal } = app;
  const scope = parseScope(flags.scope);
  const progress = createProgress(terminal);
  const onEvent = flags.quiet || flags.json ? () => undefined : progress.onEvent;
  const outcome = await app.runOnce({
    kind: flags.watchOnly ? 'watch' : 'patrol',
    scope,
    onEvent,
    signal: app.interrupted,
  });
  progress.end();
  const { report, notKept } = outcome;
  if (flags.json) printJson(terminal, report);
  else terminal.out(showRun(terminal, report, app.clock.nowMs()));
  if (notKept !== null) terminal.err(`${styled(terminal, 'red', `nothing was kept: ${notKept}`)}\n`);
  return notKept === null ? exitCodeOf(report, flags) : EXIT.failed;
};

export const addRun: AddCommand = (program, act) => {
  program
    .command('run')
    .summary('make one patrol now and show what it found')
    .description(
      'Surveys the infrastructure once, files what is wrong, and prints findings, what was clear and what could not be seen. Beside a running daemon it hands the request over and follows.',
    )
    .option('--watch-only', 'the deterministic half alone, without readings that are not due', false)
    .option(
      '--scope <what>',
      'only this: a resource id, kind:<kind>, source:<id> or tag:<tag>; may be repeated',
      collect,
      [],
    )
    .option('--json', 'one document on stdout (docs/run-report.schema.json)', false)
    .addOption(
      new Option('--fail-on <severity>', 'exit with 1 if a finding of this severity or worse counts').argParser(
        severity,
      ),
    )
    .option('--fail-on-incomplete', 'exit with 3 if something could not be seen', false)
    .option('-q, --quiet', 'no progress', false)
    .action((flags: RunFlags, command: Command) => act(command, (app) => run(app, flags)));
};
