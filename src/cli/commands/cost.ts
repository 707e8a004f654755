/** `patrold cost`: what models have used, by day, and how much of the budget is left. */
import type { Command } from 'commander';
import { modelSettings } from '../../model/model-settings.ts';
import type { SpentOnDay } from '../../model/spending-store.ts';
import type { App } from '../app.ts';
import type { AddCommand } from '../command.ts';
import { EXIT, type ExitCode } from '../exit-code.ts';
import { printJson } from '../json.ts';
import { positiveInteger } from '../options.ts';
import { table } from '../table.ts';

const DAY_MS = 86_400_000;

interface Flags {
  readonly days: number;
  readonly json: boolean;
}

interface Window {
  readonly name: 'last 24 hours' | 'last 30 days';
  readonly tokens: number;
  readonly costUsd: number;
  readonly tokenLimit: number | null;
  readonly usdLimit: number | null;
}

const windowsOf = ({ stores, config, clock }: App): readonly Window[] => {
  const { spending } = stores();
  const nowMs = clock.nowMs();
  const limits = modelSettings(config().config.model)?.limits ?? {};
  const day = spending.spentSince(nowMs - DAY_MS);
  const month = spending.spentSince(nowMs - 30 * DAY_MS);
  return [
    {
      name: 'last 24 hours',
      ...day,
      tokenLimit: limits.tokensPerDay ?? null,
      usdLimit: limits.usdPerDay ?? null,
    },
    { name: 'last 30 days', ...month, tokenLimit: null, usdLimit: limits.usdPer30Days ?? null },
  ];
};

const usd = (value: number): string => `$${value.toFixed(value > 0 && value < 0.1 ? 4 : 2)}`;
const tokens = (value: number): string => value.toLocaleString('en-US').replaceAll(',', ' ');
const ofLimit = (limit: string | null): string => (limit === null ? '' : ` of ${limit}`);

const rowOf = ({ day, attempts, inputTokens, outputTokens, cachedInputTokens, costUsd, unpriced }: SpentOnDay) => [
  day,
  String(attempts),
  tokens(inputTokens),
  tokens(cachedInputTokens),
  tokens(outputTokens),
  unpriced === attempts ? 'unknown' : `${usd(costUsd)}${unpriced > 0 ? ' and more' : ''}`,
];

const cost = (app: App, { days, json }: Flags): ExitCode => {
  const { terminal, clock, stores } = app;
  const byDay = stores().spending.byDay(clock.nowMs() - days * DAY_MS);
  const windows = windowsOf(app);
  if (json) {
    printJson(terminal, { windows, days: byDay });
    return EXIT.fine;
  }
  if (byDay.length === 0) {
    terminal.out(`no model was used in the last ${days} days\n`);
    return EXIT.fine;
  }
  const columns = ['DAY (UTC)', 'REQUESTS', 'INPUT', 'OF IT CACHED', 'OUTPUT', 'COST'].map((title, index) => ({
    title,
    ...(index === 0 ? {} : { align: 'right' as const }),
  }));
  terminal.out(table(columns, byDay.map(rowOf), terminal.columns));
  for (const { name, tokens: used, costUsd, tokenLimit, usdLimit } of windows)
    terminal.out(
      `\n${name}: ${tokens(used)}${ofLimit(tokenLimit === null ? null : tokens(tokenLimit))} tokens, ${usd(costUsd)}${ofLimit(usdLimit === null ? null : usd(usdLimit))}`,
    );
  terminal.out('\n');
  return EXIT.fine;
};

export const addCost: AddCommand = (program, act) => {
  program
    .command('cost')
    .summary('show what models have used')
    .description(
      'Tokens and money that the configured models have used, by day, attempts that failed included; what a provider did not count is estimated, rather too high.',
    )
    .option('--days <count>', 'how far back', positiveInteger, 30)
    .option('--json', 'one document on stdout', false)
    .action((flags: Flags, command: Command) => act(command, (app) => cost(app, flags)));
};
