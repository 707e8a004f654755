/** What an operator decides about findings. */
import type { Command } from 'commander';
import type { VerbEvent } from '../../../findings/event.ts';
import { DISMISSAL_REASONS, type DismissalReason, type Finding } from '../../../findings/finding.ts';
import { newRequestId } from '../../runtime/request-id.ts';
import type { App } from '../app.ts';
import type { Act } from '../command.ts';
import { EXIT, type ExitCode } from '../exit-code.ts';
import { printJson } from '../json.ts';
import { durationOption, oneOf } from '../options.ts';
import { shortId } from '../show-findings.ts';

const done = ({ terminal }: App, { id, title, resourceId, state, disposition }: Finding, json: boolean): ExitCode => {
  const now = disposition.kind === 'none' ? state : disposition.kind;
  if (json) printJson(terminal, { id, resourceId, state, disposition });
  else terminal.out(`${shortId(id)} ${title} on ${resourceId}: ${now}\n`);
  return EXIT.fine;
};

interface VerbFlags {
  readonly note?: string;
  readonly requestId?: string;
  readonly json: boolean;
}

/** A verb on one finding or several; each is durable when it is answered. */
const addVerb = <F extends VerbFlags>(
  parent: Command,
  act: Act,
  {
    name,
    about,
    build,
    event,
  }: {
    readonly name: string;
    readonly about: string;
    readonly build?: (command: Command) => Command;
    readonly event: (app: App, flags: F) => VerbEvent;
  },
): void => {
  const command = parent
    .command(`${name} <findings...>`)
    .summary(about)
    .description(`${about}. <findings> are ids, or the ends of ids that \`findings\` shows.`);
  (build?.(command) ?? command)
    .option('--note <text>', 'why, for the history')
    .option('--request-id <id>', 'asking again with the same id changes nothing twice')
    .option('--json', 'one document for each on stdout', false)
    .action((ids: readonly string[], flags: F, own: Command) =>
      act(own, (app) => {
        for (const [index, id] of ids.entries()) {
          const requestId =
            flags.requestId === undefined ? newRequestId() : `${flags.requestId}${ids.length > 1 ? `.${index}` : ''}`;
          done(
            app,
            app.stores().findings.act(id, event(app, flags), { nowMs: app.clock.nowMs(), requestId }),
            flags.json,
          );
        }
        return EXIT.fine;
      }),
    );
};

/** Each verb takes one finding or several; each is durable when it is answered. */
export const addVerbs = (findings: Command, act: Act): void => {
  const by = ({ user }: App): string => user;
  addVerb(findings, act, {
    name: 'acknowledge',
    about: 'Say that somebody has seen it: it stays, and counts no more',
    event: (app, { note = null }) => ({ kind: 'acknowledge', by: by(app), note }),
  });
  addVerb(findings, act, {
    name: 'unacknowledge',
    about: 'Take an acknowledgement back',
    event: (app) => ({ kind: 'unacknowledge', by: by(app) }),
  });
  addVerb<VerbFlags & { readonly for: number }>(findings, act, {
    name: 'snooze',
    about: 'Be quiet about it for a while',
    build: (command) => command.requiredOption('--for <duration>', '1h to 7d', durationOption),
    event: (app, { for: forMs, note = null }) => ({
      kind: 'snooze',
      by: by(app),
      untilMs: app.clock.nowMs() + forMs,
      note,
    }),
  });
  addVerb(findings, act, {
    name: 'unsnooze',
    about: 'End a snooze',
    event: (app) => ({ kind: 'unsnooze', by: by(app) }),
  });
  addVerb<VerbFlags & { readonly reason: DismissalReason }>(findings, act, {
    name: 'dismiss',
    about: 'Decide that it is none, unless it gets clearly worse',
    build: (command) =>
      command.requiredOption('--reason <reason>', DISMISSAL_REASONS.join(', '), oneOf(DISMISSAL_REASONS)),
    event: (app, { reason, note = null }) => ({ kind: 'dismiss', by: by(app), reason, note }),
  });
  addVerb(findings, act, {
    name: 'undismiss',
    about: 'Take a dismissal back',
    event: (app) => ({ kind: 'undismiss', by: by(app) }),
  });
  addVerb(findings, act, {
    name: 'resolve',
    about: 'Close it by hand; what is still there comes back at the next look',
    event: (app, { note = '' }) => ({ kind: 'resolve', by: by(app), note }),
  });
  addVerb(findings, act, {
    name: 'note',
    about: 'Write something into its history',
    event: (app, { note = '' }) => ({ kind: 'note', by: by(app), note }),
  });
};
