/** `patrold completion`: words for the shell, read from the commands themselves. */
import type { Command } from 'commander';
import type { AddCommand } from '../command.ts';
import { EXIT } from '../exit-code.ts';
import { oneOf } from '../options.ts';

const SHELLS = ['bash', 'zsh', 'fish'] as const;
type Shell = (typeof SHELLS)[number];

interface Words {
  /** `findings list`; empty for the program itself. */
  readonly path: string;
  readonly words: readonly { readonly word: string; readonly about: string }[];
}

const wordsOf = (command: Command, path: readonly string[] = []): readonly Words[] => {
  const own = [
    ...command.commands.map((sub) => ({ word: sub.name(), about: sub.summary() })),
    ...command.options.map((option) => ({ word: option.long ?? option.flags, about: option.description })),
  ];
  return [
    { path: path.join(' '), words: own },
    ...command.commands.flatMap((sub) => wordsOf(sub, [...path, sub.name()])),
  ];
};

const bash = (all: readonly Words[]): string => `_patrold() {
  local path="" word
  for word in "\${COMP_WORDS[@]:1:COMP_CWORD-1}"; do case "$word" in -*) ;; *) path="\${path:+$path }$word" ;; esac; done
  case "$path" in
${all.map(({ path, words }) => `    "${path}") COMPREPLY=($(compgen -W "${words.map(({ word }) => word).join(' ')}" -- "\${COMP_WORDS[COMP_CWORD]}")) ;;`).join('\n')}
  esac
}
complete -o default -F _patrold patrold
`;

const zsh = (all: readonly Words[]): string => `#compdef patrold
_patrold() {
  local path="" word
  for word in "\${words[@]:1:CURRENT-2}"; do case "$word" in -*) ;; *) path="\${path:+$path }$word" ;; esac; done
  case "$path" in
${all.map(({ path, words }) => `    "${path}") compadd -- ${words.map(({ word }) => word).join(' ')} ;;`).join('\n')}
  esac
}
compdef _patrold patrold
`;

const quoted = (text: string): string => `'${text.replaceAll("'", "\\'")}'`;

const fish = (all: readonly Words[]): string =>
  all
    .flatMap(({ path, words }) => {
      const condition = path === '' ? '__fish_use_subcommand' : `__fish_seen_subcommand_from ${path.split(' ').at(-1)}`;
      return words.map(({ word, about }) =>
        word.startsWith('--')
          ? `complete -c patrold -n '${condition}' -l ${word.slice(2)} -d ${quoted(about)}`
          : `complete -c patrold -f -n '${condition}' -a ${word} -d ${quoted(about)}`,
      );
    })
    .join('\n')
    .concat('\n');

const SCRIPTS: Readonly<Record<Shell, (all: readonly Words[]) => string>> = { bash, zsh, fish };

export const addCompletion: AddCommand = (program, act) => {
  program
    .command('completion')
    .summary('print a completion script for a shell')
    .argument('<shell>', SHELLS.join(', '), oneOf(SHELLS))
    .addHelpText('after', '\nFor example: patrold completion bash > ~/.local/share/bash-completion/completions/patrold')
    .action((shell: Shell, _flags: unknown, command: Command) =>
      act(command, ({ terminal }) => {
        terminal.out(SCRIPTS[shell](wordsOf(program)));
        return EXIT.fine;
      }),
    );
};
