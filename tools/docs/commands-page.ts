/** docs/commands.md: what can be typed, from the commands themselves. */
import type { Command } from 'commander';
import { createProgram } from '../../src/cli/program.ts';
import { code, page, sentence, table } from './markdown.ts';

const INTRODUCTION = `\`patrold help <command>\` prints the same. Where there is \`--json\`, it prints one document on stdout, and nothing else
there; messages and progress go to stderr.

| exit code | meaning |
| --- | --- |
| 0 | fine |
| 1 | \`--fail-on\` was met |
| 2 | wrong usage, or a problem in the config |
| 3 | something could not be seen, with \`--fail-on-incomplete\` |
| 4 | the run or the command failed |`;

const isHelp = (command: Command): boolean => command.name() === 'help';

/** Commands that do something themselves, with their full names. */
const leavesOf = (command: Command, prefix: string): readonly (readonly [string, Command])[] => {
  const children = command.commands.filter((child) => !isHelp(child));
  const name = `${prefix} ${command.name()}`.trim();
  return children.length === 0 ? [[name, command]] : children.flatMap((child) => leavesOf(child, name));
};

const optionRows = (command: Command): readonly (readonly string[])[] =>
  command.options.map(({ flags, description, mandatory, defaultValue }) => {
    const shown =
      defaultValue === undefined || defaultValue === false || Array.isArray(defaultValue)
        ? ''
        : `; default ${String(defaultValue)}`;
    return [code(flags), `${description}${mandatory ? '; required' : ''}${shown}`];
  });

const section = ([name, command]: readonly [string, Command]): string => {
  const about = command.description() === '' ? command.summary() : command.description();
  const usage = command
    .usage()
    .replace('[options]', command.options.length > 0 ? '[options]' : '')
    .trim();
  return [
    `## ${name}`,
    code(`${name} ${usage}`.trim()),
    sentence(about),
    ...(command.options.length === 0 ? [] : [table(['option', 'meaning'], optionRows(command))]),
  ].join('\n\n');
};

export const commandsPage = (): string => {
  const program = createProgram('', () => Promise.resolve());
  const leaves = program.commands.filter((child) => !isHelp(child)).flatMap((child) => leavesOf(child, 'patrold'));
  const global = program.options.filter(({ long }) => long !== '--version');
  return page(
    'Commands',
    'src/cli/',
    INTRODUCTION,
    '## For every command',
    table(
      ['option', 'meaning'],
      global.map(({ flags, description }) => [code(flags), description]),
    ),
    ...leaves.map(section),
  );
};
