/** What an operator declares about resources: maintenance, expected to be off, muted, retired. */
import { type Command, InvalidArgumentError } from 'commander';
import {
  CRITICALITIES,
  type Criticality,
  type OperatorState,
  type OperatorStatePatch,
} from '../../../findings/operator-state.ts';
import { asResourceId, type ResourceId } from '../../../signals/resource.ts';
import { PatroldError } from '../../runtime/errors.ts';
import { newRequestId } from '../../runtime/request-id.ts';
import type { App } from '../app.ts';
import type { Act } from '../command.ts';
import { EXIT, type ExitCode } from '../exit-code.ts';
import { printJson } from '../json.ts';
import { durationOption, oneOf } from '../options.ts';
import { formatInstant } from '../times.ts';

interface Flags {
  /** Its length; false: it is over. */
  readonly maintenance?: number | false;
  readonly from?: number;
  readonly expectedOffline?: boolean;
  readonly muted?: boolean;
  readonly retired?: boolean;
  readonly neverAutoRemediate?: boolean;
  readonly criticality?: Criticality;
  readonly note?: string | false;
  readonly why?: string;
  readonly requestId?: string;
  readonly json: boolean;
}

const instant = (text: string): number => {
  const ms = Date.parse(text);
  if (Number.isNaN(ms)) throw new InvalidArgumentError('expected an instant such as 2026-12-24T22:00');
  return ms;
};

/** What is left out stays as it is. */
const patchOf = (flags: Flags, nowMs: number): OperatorStatePatch => {
  const { maintenance, from = nowMs, expectedOffline, muted, retired, neverAutoRemediate, criticality, note } = flags;
  return {
    ...(typeof maintenance === 'number' ? { maintenance: { fromMs: from, untilMs: from + maintenance } } : {}),
    ...(maintenance === false ? { maintenance: null } : {}),
    ...(expectedOffline === undefined ? {} : { expectedOffline }),
    ...(muted === undefined ? {} : { muted }),
    ...(retired === undefined ? {} : { retired }),
    ...(neverAutoRemediate === undefined ? {} : { neverAutoRemediate }),
    ...(criticality === undefined ? {} : { criticality }),
    ...(note === undefined ? {} : { note: note === false ? null : note }),
  };
};

const inWords = (state: OperatorState, timeZone: string): string => {
  const { maintenance, note } = state;
  const words = [
    ...(maintenance === null
      ? []
      : [
          `maintenance from ${formatInstant(maintenance.fromMs, timeZone)} to ${formatInstant(maintenance.untilMs, timeZone)}`,
        ]),
    ...(state.expectedOffline ? ['expected to be off at times'] : []),
    ...(state.muted ? ['muted'] : []),
    ...(state.retired ? ['retired'] : []),
    ...(state.neverAutoRemediate ? ['never repaired without a person'] : []),
    ...(state.criticality === 'normal' ? [] : [`criticality ${state.criticality}`]),
    ...(note === null ? [] : [`note: ${note}`]),
  ];
  return words.length === 0 ? 'nothing that differs from the default' : words.join(', ');
};

/** Throws `resource_not_found`; of what is gone things can still be declared. */
const known = (app: App, id: string): ResourceId => {
  if (app.stores().inventory.load().resources.has(asResourceId(id))) return asResourceId(id);
  throw new PatroldError('resource_not_found', `there is no resource "${id}"`);
};

const show = ({ terminal }: App, states: readonly OperatorState[], json: boolean): ExitCode => {
  if (json) printJson(terminal, { declarations: states });
  else if (states.length === 0) terminal.out('nothing is declared about any resource\n');
  else for (const state of states) terminal.out(`${state.resourceId}: ${inWords(state, terminal.timeZone)}\n`);
  return EXIT.fine;
};

const declare = (app: App, id: string, flags: Flags): ExitCode => {
  const nowMs = app.clock.nowMs();
  if (flags.from !== undefined && typeof flags.maintenance !== 'number')
    throw new PatroldError('wrong_usage', '--from goes with --maintenance');
  const patch = patchOf(flags, nowMs);
  if (Object.keys(patch).length === 0)
    throw new PatroldError('wrong_usage', 'say what to declare: `patrold resources declare --help` lists it');
  const by = { name: app.user, reason: flags.why ?? null };
  const context = { nowMs, requestId: flags.requestId ?? newRequestId() };
  const state = app.stores().findings.operatorStates.declare(known(app, id), patch, by, context);
  return show(app, [state], flags.json);
};

const withdraw = (app: App, id: string, { why, requestId, json }: Flags): ExitCode => {
  const context = { nowMs: app.clock.nowMs(), requestId: requestId ?? newRequestId() };
  app.stores().findings.operatorStates.withdraw(known(app, id), { name: app.user, reason: why ?? null }, context);
  if (json) printJson(app.terminal, { declarations: [] });
  else app.terminal.out(`${id}: nothing is declared any more\n`);
  return EXIT.fine;
};

const withRequest = (command: Command): Command =>
  command
    .option('--why <text>', 'for the history')
    .option('--request-id <id>', 'asking again with the same id changes nothing twice')
    .option('--json', 'one document on stdout', false);

/** Findings about the resource stay; those that a declaration covers don't count, and are listed as quiet. */
export const addDeclarations = (resources: Command, act: Act): void => {
  withRequest(
    resources
      .command('declare <resource>')
      .description(
        'Declares something about a resource; what is left out stays as it is. Findings that a declaration covers are kept, but count for nothing. `--no-…` takes one back.',
      )
      .option('--maintenance <duration>', 'work is done on it for so long: nothing about it counts', durationOption)
      .option('--no-maintenance', 'the work is over')
      .option('--from <instant>', 'when the maintenance begins, instead of now', instant)
      .option('--expected-offline', 'it may be off or out of reach at any time; other faults count')
      .option('--no-expected-offline', 'it should be there again')
      .option('--muted', 'nothing about it counts')
      .option('--no-muted', 'it counts again')
      .option('--retired', 'out of service for good')
      .option('--no-retired', 'back in service')
      .option('--never-auto-remediate', 'nothing is ever repaired on it without a person')
      .option('--no-never-auto-remediate', 'repairs may be proposed again')
      .option('--criticality <level>', CRITICALITIES.join(', '), oneOf(CRITICALITIES))
      .option('--note <text>', 'shown beside it')
      .option('--no-note', 'no note'),
  ).action((id: string, flags: Flags, command: Command) => act(command, (app) => declare(app, id, flags)));
  withRequest(
    resources.command('withdraw <resource>').description('Takes back everything that was declared about a resource.'),
  ).action((id: string, flags: Flags, command: Command) => act(command, (app) => withdraw(app, id, flags)));
  resources
    .command('declarations')
    .description('Everything that is declared about resources.')
    .option('--json', 'one document on stdout', false)
    .action((flags: Flags, command: Command) =>
      act(command, (app) => show(app, [...app.stores().findings.operatorStates.all().values()], flags.json)),
    );
};
