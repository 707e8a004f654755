/** `patrold token`: who may ask the daemon over HTTP. */
import type { Command } from 'commander';
import { PatroldError } from '../../runtime/errors.ts';
import type { AddCommand } from '../command.ts';
import { EXIT } from '../exit-code.ts';
import { printJson } from '../json.ts';
import { table } from '../table.ts';
import { formatInstant } from '../times.ts';

const SCOPES = ['read', 'operate', 'approve', 'admin'];

export const addToken: AddCommand = (program, act) => {
  const token = program.command('token').summary('create, list and revoke tokens for HTTP');
  token
    .command('create <name>')
    .description('Makes a token and prints it once; only its hash is kept.')
    .option('--scope <scopes>', `what it may do, comma-separated: ${SCOPES.join(', ')}`, 'read')
    .option('--json', 'one document on stdout', false)
    .action((name: string, { scope, json }: { readonly scope: string; readonly json: boolean }, command: Command) =>
      act(command, ({ terminal, stores }) => {
        const scopes = scope.split(',').map((part) => part.trim());
        const wrong = scopes.find((one) => !SCOPES.includes(one));
        if (wrong !== undefined)
          throw new PatroldError('wrong_usage', `there is no scope "${wrong}"; the scopes are ${SCOPES.join(', ')}`);
        const created = stores().tokens.create(name, scopes);
        if (json) printJson(terminal, { ...created, name, scopes });
        else terminal.out(`${created.secret}\n`);
        return EXIT.fine;
      }),
    );
  token
    .command('list', { isDefault: true })
    .option('--json', 'one document on stdout', false)
    .action(({ json }: { readonly json: boolean }, command: Command) =>
      act(command, ({ terminal, stores }) => {
        const tokens = stores().tokens.list();
        if (json) printJson(terminal, { tokens });
        else {
          const at = (ms: number | null): string => (ms === null ? 'never' : formatInstant(ms, terminal.timeZone));
          const rows = tokens.map(({ id, name, scopes, createdAtMs, lastUsedAtMs, revokedAtMs }) => [
            id,
            name,
            scopes.join(','),
            at(createdAtMs),
            at(lastUsedAtMs),
            revokedAtMs === null ? '' : at(revokedAtMs),
          ]);
          const columns = ['ID', 'NAME', 'SCOPES', 'CREATED', 'LAST USED', 'REVOKED'].map((title) => ({ title }));
          terminal.out(rows.length === 0 ? 'no tokens\n' : table(columns, rows, terminal.columns));
        }
        return EXIT.fine;
      }),
    );
  token.command('revoke <id>').action((id: string, _flags: unknown, command: Command) =>
    act(command, ({ terminal, stores }) => {
      if (!stores().tokens.revoke(id)) throw new PatroldError('wrong_usage', `there is no token "${id}" in force`);
      terminal.out(`revoked ${id}\n`);
      return EXIT.fine;
    }),
  );
};
