/** `patrold resources`: what patrold knows of. */
import type { Command } from 'commander';
import { RESOURCE_KINDS, type ResourceKind } from '../../../signals/resource.ts';
import type { App } from '../app.ts';
import type { AddCommand } from '../command.ts';
import { EXIT, type ExitCode } from '../exit-code.ts';
import { printJson } from '../json.ts';
import { oneOf } from '../options.ts';
import { table } from '../table.ts';
import { formatAgo } from '../times.ts';
import { addDeclarations } from './declarations.ts';

interface Flags {
  readonly kind?: ResourceKind;
  readonly source?: string;
  readonly gone: boolean;
  readonly json: boolean;
}

const resources = (app: App, { kind, source, gone, json }: Flags): ExitCode => {
  const { terminal, clock } = app;
  const found = [...app.stores().inventory.load().resources.values()]
    .filter((resource) => kind === undefined || resource.kind === kind)
    .filter(({ sourceIds }) => source === undefined || sourceIds.includes(source))
    .filter(({ goneAtMs }) => gone || goneAtMs === null)
    .toSorted((a, b) => (a.id < b.id ? -1 : 1));
  if (json) {
    printJson(terminal, { resources: found });
    return EXIT.fine;
  }
  if (found.length === 0) {
    terminal.out('no such resources; `patrold run` looks for them\n');
    return EXIT.fine;
  }
  const rows = found.map((resource) => [
    resource.id,
    resource.kind,
    resource.goneAtMs === null ? resource.status : 'gone',
    resource.name,
    resource.sourceIds.join(', '),
    formatAgo(resource.seenAtMs, clock.nowMs()),
  ]);
  const columns = [
    { title: 'ID', flexible: true },
    { title: 'KIND' },
    { title: 'STATUS' },
    { title: 'NAME', flexible: true },
    { title: 'SOURCES' },
    { title: 'SEEN', align: 'right' as const },
  ];
  terminal.out(table(columns, rows, terminal.columns));
  return EXIT.fine;
};

export const addResources: AddCommand = (program, act) => {
  const command = program.command('resources').summary('list what patrold knows of, declare something about it');
  command
    .command('list', { isDefault: true })
    .description('Resources with their ids, which --scope, tags and alert overrides refer to.')
    .option('--kind <kind>', 'only of this kind', oneOf(RESOURCE_KINDS))
    .option('--source <id>', 'only what this source sees')
    .option('--gone', 'also what is no longer there', false)
    .option('--json', 'one document on stdout', false)
    .action((flags: Flags, own: Command) => act(own, (app) => resources(app, flags)));
  addDeclarations(command, act);
};
