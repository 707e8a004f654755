/** `patrold check-config`: whether the config is right, and with `--connect` whether the sources answer. */
import type { Command } from 'commander';
import type { App } from '../app.ts';
import type { AddCommand } from '../command.ts';
import { EXIT, type ExitCode } from '../exit-code.ts';
import { printJson } from '../json.ts';
import { styled } from '../terminal.ts';

/** A source that takes longer to answer one cheap question is as good as silent. */
const PROBE_TIMEOUT_MS = 15_000;

interface Answer {
  readonly source: string;
  readonly ok: boolean;
  readonly answer: string;
}

const probeAll = async (app: App): Promise<readonly Answer[]> =>
  Promise.all(
    app.settings().sources.map(async ({ source }): Promise<Answer> => {
      const signal = AbortSignal.any([app.interrupted, AbortSignal.timeout(PROBE_TIMEOUT_MS)]);
      try {
        return { source: source.id, ok: true, answer: await source.probe(signal) };
      } catch (error) {
        return { source: source.id, ok: false, answer: error instanceof Error ? error.message : String(error) };
      }
    }),
  );

const checkConfig = async (app: App, connect: boolean, json: boolean): Promise<ExitCode> => {
  const { terminal } = app;
  const { path, config, warnings } = app.config();
  const answers = connect ? await probeAll(app) : [];
  if (json)
    printJson(terminal, {
      ok: true,
      path,
      sources: config.sources.map(({ id, type }) => ({ id, type })),
      warnings,
      answers,
    });
  else {
    terminal.out(
      `${path ?? 'no config file: every default holds'}: ${styled(terminal, 'green', 'ok')}, ${config.sources.map(({ id }) => id).join(', ')}\n`,
    );
    for (const warning of warnings) terminal.err(`${styled(terminal, 'yellow', 'warning')}: ${warning}\n`);
    for (const { source, ok, answer } of answers)
      terminal.out(
        `${source}: ${ok ? styled(terminal, 'green', 'answers') : styled(terminal, 'red', 'fails')}: ${answer}\n`,
      );
  }
  return answers.every(({ ok }) => ok) ? EXIT.fine : EXIT.failed;
};

export const addCheckConfig: AddCommand = (program, act) => {
  program
    .command('check-config')
    .summary('check the config, every problem at once')
    .description(
      'Reads the config as the daemon would, with the environment and flags over it, and lists every problem with its line. With --connect each source is asked one cheap question.',
    )
    .option('--connect', 'also ask each source', false)
    .option('--json', 'one document on stdout', false)
    .action(({ connect, json }: { readonly connect: boolean; readonly json: boolean }, command: Command) =>
      act(command, (app) => checkConfig(app, connect, json)),
    );
};
