/** `patrold model check`: whether the configured model can do its part, asked of the model itself. */
import type { Command } from 'commander';
import type { ModelCheck } from '../../model/check/check-model.ts';
import type { CheckResult } from '../../model/check/check-result.ts';
import type { App } from '../app.ts';
import type { AddCommand } from '../command.ts';
import { EXIT, type ExitCode } from '../exit-code.ts';
import { printJson } from '../json.ts';
import { type Style, styled, type Terminal } from '../terminal.ts';

const STYLES: Readonly<Record<CheckResult['state'], Style>> = {
  ok: 'green',
  failed: 'red',
  unknown: 'yellow',
  skipped: 'dim',
};

const WIDEST_NAME = 'reachable'.length;
const WIDEST_STATE = 'unknown'.length;

const showResult = (terminal: Terminal, { name, state, message }: CheckResult): void => {
  const shown = styled(terminal, STYLES[state], state.padEnd(WIDEST_STATE));
  terminal.out(`${name.padEnd(WIDEST_NAME)}  ${shown}  ${message}\n`);
};

const showUse = (terminal: Terminal, { usage, costUsd }: ModelCheck): void => {
  const money = costUsd === null ? '' : `, ${costUsd.toFixed(4)} USD`;
  const about = usage.estimated ? 'about ' : '';
  terminal.err(`used ${about}${usage.inputTokens} tokens of input and ${usage.outputTokens} of output${money}\n`);
};

const NONE = 'no model is configured (model.provider is none): patrols run without one';

const check = async (app: App, json: boolean): Promise<ExitCode> => {
  const { terminal } = app;
  const result = await app.checkModel((one) => {
    if (!json) showResult(terminal, one);
  });
  if (result === null) {
    if (json) printJson(terminal, { ok: true, provider: 'none' });
    else terminal.out(`${NONE}\n`);
    return EXIT.fine;
  }
  if (json) printJson(terminal, result);
  else showUse(terminal, result);
  return result.ok ? EXIT.fine : EXIT.failed;
};

export const addModel: AddCommand = (program, act) => {
  const model = program.command('model').summary('check the language model that is configured');
  model
    .command('check')
    .summary('ask it whether it can do its part')
    .description(
      'Whether the provider answers, has the model, the model calls tools, how much fits into a request, and whether its price is known. It asks the model two or three short questions, which cost little; a local server gets a long one too. Nothing about your machines is sent.',
    )
    .option('--json', 'one document on stdout', false)
    .action(({ json }: { readonly json: boolean }, command: Command) => act(command, (app) => check(app, json)));
};
