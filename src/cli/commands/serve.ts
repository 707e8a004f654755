/** `patrold serve`: the daemon. `patrold start`: a first run for people to read, then the daemon. */
import type { Command } from 'commander';
import type { AddCommand } from '../command.ts';

export const addServe: AddCommand = (program, act) => {
  program
    .command('serve')
    .summary('stay, patrol on schedule, answer over HTTP')
    .description(
      'The daemon: patrols and watches on schedule, findings over HTTP, metrics. SIGHUP reloads the config; SIGTERM ends it after the run under way, a second one at once.',
    )
    .action((_flags: unknown, command: Command) => act(command, (app) => app.serve({ showFirstRun: false })));
  program
    .command('start')
    .summary('patrol once, show the findings, then stay as the daemon')
    .action((_flags: unknown, command: Command) => act(command, (app) => app.serve({ showFirstRun: true })));
};
