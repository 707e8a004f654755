/** `patrold findings`: what is wrong, and what an operator decides about it. */
import type { Command } from 'commander';
import { counts } from '../../../findings/counts.ts';
import type { VerbEvent } from '../../../findings/event.ts';
import {
  DISMISSAL_REASONS,
  DISPOSITIONS,
  type DismissalReason,
  type DispositionKind,
  type Finding,
} from '../../../findings/finding.ts';
import { CATEGORIES, type Category, SEVERITIES, type Severity } from '../../../signals/detector.ts';
import { asResourceId } from '../../../signals/resource.ts';
import { reportFinding } from '../../patrol/write-report.ts';
import { newRequestId } from '../../runtime/request-id.ts';
import type { App } from '../app.ts';
import type { Act, AddCommand } from '../command.ts';
import { EXIT, type ExitCode } from '../exit-code.ts';
import { printJson } from '../json.ts';
import { durationOption, oneOf, positiveInteger } from '../options.ts';
import { showFinding } from '../show-finding.ts';
import { shortId, showFindings } from '../show-findings.ts';

interface ListFlags {
  readonly all: boolean;
  readonly resolved: boolean;
  readonly severity?: Severity;
  readonly category?: Category;
  readonly resource?: string;
  readonly source?: string;
  readonly key?: string;
  readonly disposition?: DispositionKind;
  readonly search?: string;
  readonly limit: number;
  readonly cursor?: string;
  readonly json: boolean;
}

const list = (app: App, flags: ListFlags): ExitCode => {
  const { terminal, clock } = app;
  const { findings, inventory } = app.stores();
  const page = findings.list({
    state: flags.all ? 'all' : flags.resolved ? 'resolved' : 'active',
    limit: flags.limit,
    ...(flags.severity === undefined ? {} : { severities: [flags.severity] }),
    ...(flags.category === undefined ? {} : { category: flags.category }),
    ...(flags.resource === undefined ? {} : { resourceId: asResourceId(flags.resource) }),
    ...(flags.source === undefined ? {} : { sourceId: flags.source }),
    ...(flags.key === undefined ? {} : { key: flags.key }),
    ...(flags.disposition === undefined ? {} : { disposition: flags.disposition }),
    ...(flags.search === undefined ? {} : { text: flags.search }),
    ...(flags.cursor === undefined ? {} : { cursor: flags.cursor }),
  });
  if (flags.json) {
    printJson(terminal, page);
    return EXIT.fine;
  }
  const { resources } = inventory.load();
  const nowMs = clock.nowMs();
  const states = findings.operatorStates.all();
  const shown = page.findings.map((finding) =>
    reportFinding(
      finding,
      resources.get(finding.resourceId)?.name ?? finding.resourceId,
      counts(finding, states.get(finding.resourceId) ?? null, nowMs),
    ),
  );
  terminal.out(shown.length === 0 ? 'no findings\n' : showFindings(terminal, shown, nowMs));
  if (page.nextCursor !== null) terminal.err(`${page.total} in all; go on with --cursor ${page.nextCursor}\n`);
  return EXIT.fine;
};

const show = (app: App, id: string, json: boolean): ExitCode => {
  const { terminal, clock } = app;
  const detail = app.stores().findings.details(id);
  if (json) printJson(terminal, detail);
  else terminal.out(showFinding(terminal, detail, clock.nowMs()));
  return EXIT.fine;
};

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

const addVerbs = (findings: Command, act: Act): void => {
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

const addSuppressions = (findings: Command, act: Act): void => {
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

export const addFindings: AddCommand = (program, act) => {
  const findings = program.command('findings').summary('list findings, show one, decide about them');
  findings
    .command('list', { isDefault: true })
    .description('Findings, worst first; active ones unless told otherwise.')
    .option('--all', 'resolved ones too', false)
    .option('--resolved', 'resolved ones only', false)
    .option('--severity <severity>', 'only this severity', oneOf(SEVERITIES))
    .option('--category <category>', 'only this category', oneOf(CATEGORIES))
    .option('--resource <id>', 'only on this resource')
    .option('--source <id>', 'only what this source shows')
    .option('--key <key>', 'a whole key, or the type of a detector')
    .option('--disposition <disposition>', 'only these', oneOf(DISPOSITIONS))
    .option('--search <text>', 'in title, summary, resource or key')
    .option('-n, --limit <count>', 'how many', positiveInteger, 50)
    .option('--cursor <cursor>', 'go on where the page before ended')
    .option('--json', 'one document on stdout', false)
    .action((flags: ListFlags, command: Command) => act(command, (app) => list(app, flags)));
  findings
    .command('show <finding>')
    .description('One finding: evidence, episodes, history.')
    .option('--json', 'one document on stdout', false)
    .action((id: string, { json }: { readonly json: boolean }, command: Command) =>
      act(command, (app) => show(app, id, json)),
    );
  addVerbs(findings, act);
  addSuppressions(findings, act);
};
