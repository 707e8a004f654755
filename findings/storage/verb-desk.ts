/** Where operators' decisions are carried out, once each. */
import { PatroldError } from '../../src/runtime/errors.ts';
import type { VerbEvent } from '../event.ts';
import type { Finding, FindingId } from '../finding.ts';
import type { Refusal } from '../step.ts';
import { ofRequest, type RequestContext } from './context.ts';
import type { FindingIds } from './finding-ids.ts';
import type { FindingWriter } from './finding-writer.ts';
import { keptText, keptTextOrNull, NAME_LENGTH, NOTE_LENGTH } from './kept-text.ts';
import type { RequestLog } from './request-log.ts';
import type { InTransaction } from './transaction.ts';

export interface VerbDesk {
  /**
   * `typed`: an id, or a unique beginning or end of one. Throws `finding_not_found`, `finding_id_ambiguous`,
   * `finding_action_not_allowed`, `invalid_finding_request` or `request_id_reused`; then nothing has changed.
   */
  act(typed: string, event: VerbEvent, context: RequestContext): Finding;
}

export interface VerbDeps {
  readonly transact: InTransaction;
  readonly writer: FindingWriter;
  readonly ids: FindingIds;
  readonly requests: RequestLog;
}

export const createVerbDesk = ({ transact, writer, ids, requests }: VerbDeps): VerbDesk => ({
  act: (typed, event, context) =>
    transact(() => {
      const id = ids.resolve(typed);
      const kept = keptEvent(event);
      const subject = requests.once(context.requestId ?? null, fingerprintOf(id, kept), context.nowMs, () => {
        const outcome = writer.apply(id, kept, ofRequest(context));
        if (outcome !== null && !outcome.ok) throw refused(id, event, outcome);
        return id;
      });
      return present(writer, ids.resolve(subject));
    }),
});

export const present = ({ table }: FindingWriter, id: FindingId): Finding => {
  const finding = table.byId(id);
  if (finding === null) throw new PatroldError('finding_not_found', `finding ${id} is no longer there`);
  return finding;
};

export const refused = (id: FindingId, { kind }: VerbEvent, { code, reason }: Refusal): PatroldError =>
  new PatroldError(code, `can not ${kind} ${id}: ${reason}`, { details: { id, verb: kind } });

const keptEvent = (event: VerbEvent): VerbEvent => {
  const by = keptText(event.by, NAME_LENGTH);
  return 'note' in event
    ? ({ ...event, by, note: keptTextOrNull(event.note, NOTE_LENGTH) } as VerbEvent)
    : { ...event, by };
};

/** A snooze's end is left out: a client that repeats "for two hours" may compute another instant. */
const fingerprintOf = (id: FindingId, event: VerbEvent): string => {
  const note = 'note' in event ? event.note : null;
  return JSON.stringify([event.kind, id, event.by, event.kind === 'dismiss' ? event.reason : null, note]);
};
