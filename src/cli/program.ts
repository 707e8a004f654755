/** The command line as a whole. */
import { Command, CommanderError } from 'commander';
import { PatroldError } from '../runtime/errors.ts';
import type { App, GlobalFlags } from './app.ts';
import { type Act, globalFlags } from './command.ts';
import { addBackup } from './commands/backup.ts';
import { addCheckConfig } from './commands/check-config.ts';
import { addCompletion } from './commands/completion.ts';
import { addCost } from './commands/cost.ts';
import { addFindings } from './commands/findings.ts';
import { addInit } from './commands/init.ts';
import { addModel } from './commands/model.ts';
import { addResources } from './commands/resources.ts';
import { addRun } from './commands/run.ts';
import { addRuns } from './commands/runs.ts';
import { addServe } from './commands/serve.ts';
import { addThresholds } from './commands/thresholds.ts';
import { addToken } from './commands/token.ts';
import { errorText } from './error-text.ts';
import { EXIT, type ExitCode } from './exit-code.ts';
import type { Terminal } from './terminal.ts';

export interface ProgramDeps {
  readonly version: string;
  readonly createApp: (flags: GlobalFlags) => App;
  /** For what goes wrong before there is an app. */
  readonly createTerminal: (flags: GlobalFlags) => Terminal;
}

const AFTER_HELP = `
Exit codes: 0 fine; 1 --fail-on was met; 2 wrong usage or config; 3 something could not be seen (--fail-on-incomplete); 4 failed.
Config: --config, PATROLD_CONFIG, ./patrold.yaml, ~/.config/patrold/patrold.yaml, /etc/patrold/patrold.yaml; without one, this machine is watched.`;

/** Codes of errors that the caller made. */
const USAGE_CODES: ReadonlySet<string> = new Set([
  'wrong_usage',
  'config_invalid',
  'config_unreadable',
  'scope_invalid',
  'schedule_invalid',
  'resource_not_found',
  'run_not_found',
  'operator_state_not_set',
  'operator_state_invalid',
  'finding_not_found',
  'finding_id_ambiguous',
  'finding_action_not_allowed',
  'invalid_finding_request',
  'suppression_not_found',
]);

const exitCodeOf = (error: unknown): ExitCode =>
  error instanceof PatroldError && USAGE_CODES.has(error.code) ? EXIT.usage : EXIT.failed;

const addAll = (program: Command, act: Act): void => {
  for (const add of [
    addRun,
    addServe,
    addFindings,
    addRuns,
    addResources,
    addThresholds,
    addCost,
    addCheckConfig,
    addModel,
    addInit,
    addToken,
    addBackup,
    addCompletion,
  ])
    add(program, act);
};

/** The commands and flags, before anything is parsed; `act` runs what a command wants to do. */
export const createProgram = (version: string, act: Act): Command => {
  const program = new Command('patrold')
    .description(
      'Patrols your machines, containers and metrics, and keeps findings of what is wrong, what is fine and what could not be seen.',
    )
    .version(version)
    .option('-c, --config <file>', 'config file')
    .option('--data <directory>', 'data directory')
    .option('--listen <host:port>', 'where the daemon answers HTTP')
    .option('--log-level <level>', 'silent, error, warn, info, debug')
    .option('--color', 'colours, whatever stdout is')
    .option('--no-color', 'no colours')
    .addHelpText('after', AFTER_HELP)
    .showHelpAfterError('(patrold help <command> says more)')
    .showSuggestionAfterError()
    .exitOverride();
  addAll(program, act);
  for (const command of program.commands) command.exitOverride();
  return program;
};

/** Parses the arguments, runs the command, and answers with the exit code; writes errors to stderr itself. */
export const runProgram = async (argv: readonly string[], deps: ProgramDeps): Promise<ExitCode> => {
  let code: ExitCode = EXIT.fine;
  const act: Act = async (command, action) => {
    const flags = globalFlags(command);
    try {
      code = await action(deps.createApp(flags));
    } catch (error) {
      deps.createTerminal(flags).err(errorText(deps.createTerminal(flags), error));
      code = exitCodeOf(error);
    }
  };
  const program = createProgram(deps.version, act);
  try {
    await program.parseAsync(argv, { from: 'user' });
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    // Help and version are answers, everything else is wrong usage; commander has said which.
    return error.exitCode === 0 ? EXIT.fine : EXIT.usage;
  }
  return code;
};
