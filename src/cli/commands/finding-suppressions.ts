/** Rules that silence a problem on a resource, now and later. */
import type { Command } from 'commander';
import type { Act } from '../command.ts';
import { EXIT } from '../exit-code.ts';
import { printJson } from '../json.ts';

export const addSuppressions = (findings: Command, act: Act): void => {
  findings
    .command('suppress <finding>')
    .summary('silence this problem on this resource, now and later')
    .option('--category', 'everything of its category on the resource, not its key alone', false)
    .option('--note <text>', 'why')
    .action(
      (id: string, { category, note }: { readonly category: boolean; readonly note?: string }, command: Command) =>
        act(command, (app) => {
          const request = { scope: category ? 'category' : 'key', by: app.user, reason: note ?? null } as const;
          const rule = app.stores().findings.suppressFinding(id, request, { nowMs: app.clock.nowMs() });
          app.terminal.out(
            `rule ${rule.id} silences ${rule.match.kind === 'key' ? rule.match.key : rule.match.category} on ${rule.resourceId}\n`,
          );
          return EXIT.fine;
        }),
    );
  findings
    .command('suppressions')
    .summary('list the rules in force')
    .option('--json', 'one document on stdout', false)
    .action(({ json }: { readonly json: boolean }, command: Command) =>
      act(command, ({ terminal, stores }) => {
        const rules = stores().findings.suppressions();
        if (json) printJson(terminal, { suppressions: rules });
        else
          terminal.out(
            rules.length === 0
              ? 'no rules\n'
              : rules
                  .map(
                    ({ id, resourceId, match, by }) =>
                      `${id}  ${match.kind === 'key' ? match.key : match.category} on ${resourceId}, by ${by}\n`,
                  )
                  .join(''),
          );
        return EXIT.fine;
      }),
    );
  findings
    .command('unsuppress <rule>')
    .summary('take a rule back')
    .action((id: string, _flags: unknown, command: Command) =>
      act(command, (app) => {
        app.stores().findings.removeSuppression(id, app.user, { nowMs: app.clock.nowMs() });
        app.terminal.out(`removed rule ${id}\n`);
        return EXIT.fine;
      }),
    );
};
