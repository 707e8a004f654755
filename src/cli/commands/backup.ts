/** `patrold backup`: a complete copy of the database while the daemon runs. */
import type { Command } from 'commander';
import type { AddCommand } from '../command.ts';
import { EXIT } from '../exit-code.ts';

export const addBackup: AddCommand = (program, act) => {
  program
    .command('backup <file>')
    .summary('copy the database to a file')
    .description(
      'Writes a complete, consistent copy of the database; the daemon goes on meanwhile. To restore: stop the daemon and put the copy in the place of patrold.db.',
    )
    .action((file: string, _flags: unknown, command: Command) =>
      act(command, ({ terminal, stores }) => {
        stores().backUpTo(file);
        terminal.out(`${file}\n`);
        return EXIT.fine;
      }),
    );
};
